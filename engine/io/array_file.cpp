#include "engine/io/array_file.hpp"

#include <fmt/format.h>

#include "engine/io/error.hpp"
#include "engine/io/hdf5.hpp"

namespace psflip::io {

using hdf5::check;
using hdf5::Handle;

namespace {

/// A dataset that can be read, or the reason why not.
struct Inspected {
  std::string problem;  ///< empty: none
  std::vector<std::uint64_t> shape;
};

Handle open_image(Bytes bytes) {
  const Handle access = hdf5::memory_access();
  check(H5Pset_file_image(access, bytes.data(), bytes.size()), "take the file into memory");
  Bytes().swap(bytes);
  return {H5Fopen(hdf5::memory_file, H5F_ACC_RDONLY, access), "open it"};
}

/// Whether psflip wrote the file, which then has a seal.
bool is_of_psflip(hid_t file) { return check(H5Aexists(file, "stream_version"), "inspect its attributes") > 0; }

bool is_elsewhere(hid_t dataset) {
  const Handle creation(H5Dget_create_plist(dataset), "inspect a dataset");
  return H5Pget_layout(creation) == H5D_VIRTUAL || H5Pget_external_count(creation) > 0;
}

Inspected inspect(hid_t file, const std::string& name) {
  const std::string link = fmt::format(
      "{} is a link or lies in another file, which psflip does not follow; write the numbers themselves", name);
  H5L_info_t info{};
  check(H5Lget_info(file, name.c_str(), &info, H5P_DEFAULT), "find " + name);
  if (info.type != H5L_TYPE_HARD) return {link, {}};
  const Handle object(H5Oopen(file, name.c_str(), H5P_DEFAULT), "open " + name);
  if (H5Iget_type(object) != H5I_DATASET) return {name + " is a group; write it as a dataset", {}};
  if (is_elsewhere(object)) return {link, {}};
  const Handle type(H5Dget_type(object), "inspect " + name);
  if (H5Tget_class(type) != H5T_INTEGER) return {name + " holds no integers; write it as int8", {}};
  const Handle space(H5Dget_space(object), "inspect " + name);
  std::vector<hsize_t> shape(static_cast<std::size_t>(check(H5Sget_simple_extent_ndims(space), "inspect " + name)));
  check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "inspect " + name);
  return {{}, {shape.begin(), shape.end()}};
}

}  // namespace

struct ArrayFile::Opened {
  Handle file;
};

ArrayFile::ArrayFile(std::filesystem::path path) : path_(std::move(path)) {
  Bytes bytes = read_bytes(path_);
  const Seal seal = check_seal(bytes);
  if (seal == Seal::broken) refuse("its checksum is wrong, so it is corrupted; make the file again");
  if (seal == Seal::whole) remove_seal(bytes);
  const auto lock = hdf5::quiet();
  bool lost_its_seal = false;
  try {
    opened_ = std::make_unique<Opened>(Opened{open_image(std::move(bytes))});
    lost_its_seal = seal == Seal::missing && is_of_psflip(opened_->file);
  } catch (const hdf5::Failure& failure) {
    refuse(fmt::format("HDF5 failed to {}, so it is truncated or no HDF5 file; make the file again", failure.what()));
  }
  if (lost_its_seal)
    refuse(
        "it is of psflip but the seal at its end is missing, so it is truncated or was changed; make it again, or "
        "write "
        "your arrays to a new file");
}

ArrayFile::~ArrayFile() {
  const auto lock = hdf5::quiet();
  opened_.reset();
}

void ArrayFile::refuse(const std::string& reason) const {
  throw UserError(fmt::format("Cannot use {}: {}.", path_.string(), reason));
}

bool ArrayFile::has(const std::string& name) const {
  const auto lock = hdf5::quiet();
  return H5Lexists(opened_->file, name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::uint64_t> ArrayFile::shape(const std::string& name) const {
  const auto lock = hdf5::quiet();
  Inspected found;
  try {
    found = inspect(opened_->file, name);
  } catch (const hdf5::Failure& failure) {
    refuse(fmt::format("HDF5 failed to {}; make the file again", failure.what()));
  }
  if (!found.problem.empty()) refuse(found.problem);
  return found.shape;
}

template <class T>
void ArrayFile::read_values(const std::string& name, std::uint64_t first, std::uint64_t count,
                            std::vector<T>& values) const {
  const std::vector<std::uint64_t> all = shape(name);
  std::vector<hsize_t> start(all.size(), 0), extent(all.begin(), all.end());
  start[0] = first;
  extent[0] = count;
  std::size_t size = 1;
  for (const hsize_t length : extent) size *= length;
  values.resize(size);
  const auto lock = hdf5::quiet();
  try {
    constexpr std::size_t chunk_cache = std::size_t{1} << 26;  // other programs may have made large chunks
    const Handle access(H5Pcreate(H5P_DATASET_ACCESS), "prepare to read");
    check(H5Pset_chunk_cache(access, H5D_CHUNK_CACHE_NSLOTS_DEFAULT, chunk_cache, 1), "prepare to read");
    const Handle dataset(H5Dopen2(opened_->file, name.c_str(), access), "open " + name);
    const Handle from(H5Dget_space(dataset), "inspect " + name);
    check(H5Sselect_hyperslab(from, H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr), "select " + name);
    const Handle to(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), "shape " + name);
    check(H5Dread(dataset, hdf5::native_type<T>(), to, from, H5P_DEFAULT, values.data()), "read " + name);
  } catch (const hdf5::Failure& failure) {
    refuse(
        fmt::format("HDF5 failed to {}, so it is corrupted or has a filter that psflip does not have; make the file "
                    "again without compression or with gzip",
                    failure.what()));
  }
}

void ArrayFile::read(const std::string& name, std::uint64_t first, std::uint64_t count,
                     std::vector<std::int8_t>& values) const {
  read_values(name, first, count, values);
}

void ArrayFile::read(const std::string& name, std::uint64_t first, std::uint64_t count,
                     std::vector<std::int64_t>& values) const {
  read_values(name, first, count, values);
}

}  // namespace psflip::io
