#include "engine/io/array_reader.hpp"

#include <fmt/format.h>

#include <optional>

#include "engine/io/hdf5.hpp"

// Runs in a child process, on bytes that anyone may have written.
namespace psflip::io::array_reader {

using hdf5::check;
using hdf5::Handle;

namespace {

/// A dataset that can be read, or the reason why not.
struct Inspected {
  std::string problem;  ///< empty: none
  std::vector<std::uint64_t> shape;
};

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

void send_presence(hid_t file, Channel& channel) {
  const bool found = H5Lexists(file, channel.receive_text().c_str(), H5P_DEFAULT) > 0;
  channel.send(done);
  channel.send(found);
}

void send_shape(hid_t file, Channel& channel) {
  const Inspected found = inspect(file, channel.receive_text());
  channel.send(done);
  channel.send(found.problem);
  channel.send(static_cast<std::uint8_t>(found.shape.size()));
  for (const std::uint64_t length : found.shape) channel.send(length);
}

void send_values(hid_t file, Channel& channel) {
  const std::string name = channel.receive_text();
  const auto first = channel.receive<std::uint64_t>(), count = channel.receive<std::uint64_t>();
  const auto value_size = channel.receive<std::uint8_t>();
  const hid_t type = value_size == 1 ? H5T_NATIVE_INT8 : H5T_NATIVE_INT64;
  const std::vector<std::uint64_t> all = inspect(file, name).shape;
  std::vector<hsize_t> start(all.size(), 0), extent(all.begin(), all.end());
  start.at(0) = first;
  extent[0] = count;
  std::size_t size = value_size;
  for (const hsize_t length : extent) size *= length;
  Bytes values(size);
  constexpr std::size_t chunk_cache = std::size_t{1} << 26;  // other programs may have made large chunks
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), "prepare to read");
  check(H5Pset_chunk_cache(access, H5D_CHUNK_CACHE_NSLOTS_DEFAULT, chunk_cache, 1), "prepare to read");
  const Handle dataset(H5Dopen2(file, name.c_str(), access), "open " + name);
  const Handle from(H5Dget_space(dataset), "inspect " + name);
  check(H5Sselect_hyperslab(from, H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr), "select " + name);
  const Handle to(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), "shape " + name);
  check(H5Dread(dataset, type, to, from, H5P_DEFAULT, values.data()), "read " + name);
  channel.send(done);
  channel.send(values.data(), values.size());
}

void answer(hid_t file, Tag request, Channel& channel) {
  if (request == has) send_presence(file, channel);
  if (request == shape) send_shape(file, channel);
  if (request == read) send_values(file, channel);
}

void send_failure(const hdf5::Failure& failed, Channel& channel) {
  channel.send(failure);
  channel.send(std::string(failed.what()));
}

}  // namespace

void serve(Bytes bytes, Channel& channel) {
  std::optional<Handle> file;
  try {
    file.emplace(hdf5::open_image(std::move(bytes)));
    const bool of_psflip = is_of_psflip(*file);
    channel.send(done);
    channel.send(of_psflip);
  } catch (const hdf5::Failure& failed) {
    return send_failure(failed, channel);
  }
  while (true) {
    try {
      answer(*file, channel.receive<Tag>(), channel);
    } catch (const hdf5::Failure& failed) {
      send_failure(failed, channel);
    }
  }
}

}  // namespace psflip::io::array_reader
