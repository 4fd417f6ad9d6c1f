#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>

#include "engine/io/chunks.hpp"
#include "engine/io/content.hpp"
#include "engine/io/hdf5.hpp"

// Runs in a child process, on bytes that anyone may have written: a crash of HDF5 is part of what can happen here.
namespace psflip::io::hdf5 {
namespace {

/// Deflate makes at most 1032 bytes out of one.
constexpr std::uint64_t most_values_per_byte = 1100;

/// Of every chunk that psflip has ever written, in this order.
constexpr std::array own_filters = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32};

std::string read_string(hid_t attribute, hid_t type, const std::string& name) {
  if (check(H5Tis_variable_str(type), "inspect " + name) > 0) {
    char* characters = nullptr;
    check(H5Aread(attribute, type, &characters), "read " + name);
    const std::unique_ptr<char, decltype(&H5free_memory)> owner(characters, H5free_memory);
    return characters == nullptr ? std::string() : std::string(characters);
  }
  std::string text(H5Tget_size(type), '\0');
  check(H5Aread(attribute, type, text.data()), "read " + name);
  return text.substr(0, text.find('\0'));
}

/// A scalar attribute as text, 64-bit integer or double; other shapes and types are refused.
Attribute read_attribute(hid_t object, const std::string& name) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), "open attribute " + name);
  const Handle space(H5Aget_space(attribute), "inspect " + name);
  if (H5Sget_simple_extent_npoints(space) != 1) throw Failure("read attribute " + name + ", which is not one value");
  const Handle type(H5Aget_type(attribute), "inspect " + name);
  if (H5Tget_class(type) == H5T_STRING) return read_string(attribute, type, name);
  if (check(H5Tequal(type, H5T_NATIVE_INT64), "inspect " + name) > 0) {
    std::int64_t value = 0;
    check(H5Aread(attribute, H5T_NATIVE_INT64, &value), "read " + name);
    return value;
  }
  if (check(H5Tequal(type, H5T_NATIVE_DOUBLE), "inspect " + name) > 0) {
    double value = 0;
    check(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), "read " + name);
    return value;
  }
  throw Failure("read attribute " + name + ", which is neither text nor a 64-bit integer or real number");
}

std::vector<std::string> attribute_names(hid_t root) {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  hsize_t position = 0;
  check(H5Aiterate2(root, H5_INDEX_NAME, H5_ITER_NATIVE, &position, collect, &names), "list the attributes");
  return names;
}

/// Refuses links, other objects than datasets, and datasets under two names.
Handle open_dataset(hid_t root, const std::string& name) {
  H5L_info_t link{};
  check(H5Lget_info(root, name.c_str(), &link, H5P_DEFAULT), "find " + name);
  if (link.type != H5L_TYPE_HARD) throw Failure("read " + name + ", which is a link");
  Handle object(H5Oopen(root, name.c_str(), H5P_DEFAULT), "open " + name);
  if (H5Iget_type(object) != H5I_DATASET) throw Failure("read " + name + ", which is no dataset");
  H5O_info_t info{};
#if H5_VERSION_GE(1, 12, 0)  // where H5O_info_t is of the newer function
  check(H5Oget_info3(object, &info, H5O_INFO_BASIC), "inspect " + name);
#else
  check(H5Oget_info2(object, &info, H5O_INFO_BASIC), "inspect " + name);
#endif
  if (info.rc != 1) throw Failure("read " + name + ", which has a second name");
  return object;
}

/// Where the values lie that were read, each byte once.
class ReadBytes {
 public:
  /// Refuses bytes that hold values of another dataset or chunk.
  void add(haddr_t first, hsize_t count, const std::string& name) {
    const auto after = begins_.lower_bound(first);
    const bool is_free = (after == begins_.end() || after->first - first >= count) &&
                         (after == begins_.begin() || std::prev(after)->second <= first);
    if (!is_free) throw Failure("read " + name + ", which has its values where other values are");
    begins_.emplace_hint(after, first, first + count);
  }

 private:
  std::map<haddr_t, haddr_t> begins_;  ///< with ends
};

/// Whether the dataset has chunks. Refuses values in other files, and filters that psflip does not write.
bool require_own_storage(hid_t dataset, const std::string& name) {
  const Handle creation(H5Dget_create_plist(dataset), "inspect " + name);
  const H5D_layout_t layout = H5Pget_layout(creation);
  if (layout == H5D_VIRTUAL || layout == H5D_LAYOUT_ERROR || H5Pget_external_count(creation) > 0)
    throw Failure("read " + name + ", which lies in another file");
  std::vector<H5Z_filter_t> filters(static_cast<std::size_t>(check(H5Pget_nfilters(creation), "inspect " + name)));
  for (std::size_t i = 0; i < filters.size(); ++i) {
    unsigned flags = 0, configuration = 0;
    std::size_t values = 0;
    filters[i] =
        H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &configuration);
  }
  const bool is_chunked = layout == H5D_CHUNKED;
  if (is_chunked ? filters != std::vector<H5Z_filter_t>(own_filters.begin(), own_filters.end()) : !filters.empty())
    throw Failure("read " + name + ", which has other filters than those of psflip");
  return is_chunked;
}

/// Refuses more values than the bytes in the file can hold, before memory is taken for them.
std::vector<std::size_t> shape_of(hid_t dataset, const std::string& name, std::size_t value_size) {
  const Handle space(H5Dget_space(dataset), "inspect " + name);
  if (H5Sget_simple_extent_type(space) != H5S_SCALAR && H5Sget_simple_extent_type(space) != H5S_SIMPLE)
    throw Failure("read " + name + ", which is empty");
  std::vector<hsize_t> shape(static_cast<std::size_t>(check(H5Sget_simple_extent_ndims(space), "inspect " + name)));
  check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "inspect " + name);
  const std::uint64_t most = H5Dget_storage_size(dataset) * most_values_per_byte;
  std::uint64_t bytes = std::find(shape.begin(), shape.end(), 0) == shape.end() ? value_size : 0;
  for (const hsize_t length : shape) {
    if (bytes > 0 && length > most / bytes) throw Failure("read " + name + ", which promises more values than it has");
    bytes *= length;
  }
  return {shape.begin(), shape.end()};
}

/// `index` of the alternative of Values that the dataset holds, and the bytes of a value.
struct ValueType {
  std::uint8_t index = 0;
  hid_t native = H5I_INVALID_HID;
  std::size_t size = 0;
};

ValueType value_type(hid_t dataset, const std::string& name) {
  const Handle stored(H5Dget_type(dataset), "inspect " + name);
  const hid_t types[] = {native_type<std::int8_t>(), native_type<std::int32_t>(), native_type<std::uint32_t>(),
                         native_type<std::int64_t>(), native_type<double>()};
  for (std::size_t i = 0; i < std::size(types); ++i)
    if (check(H5Tequal(stored, types[i]), "inspect " + name) > 0)
      return {static_cast<std::uint8_t>(i), types[i], H5Tget_size(types[i])};
  throw Failure("read dataset " + name + ", which has an unknown type");
}

/// Chunk `k`. HDF5 would take values of another size, without a checksum or in another order, and zeros for a chunk
/// that is missing, wherever the index of the chunks says so.
Bytes chunk_of(hid_t dataset, const std::string& name, const Chunking& chunking, std::size_t k, ReadBytes& read) {
  constexpr unsigned without_deflate = 1 << 1;  // its place in own_filters
  const std::vector<std::size_t> at = chunking.offset(k);
  std::vector<hsize_t> offset(at.size());
  unsigned left_out = 0;
  haddr_t address = HADDR_UNDEF;
  hsize_t size = 0;
  const Handle all(H5Dget_space(dataset), "inspect " + name);
  check(H5Dget_chunk_info(dataset, all, k, offset.data(), &left_out, &address, &size), "find a chunk of " + name);
  if (!std::equal(at.begin(), at.end(), offset.begin()) || address == HADDR_UNDEF)
    throw Failure("read " + name + ", which has other chunks than psflip writes");
  if ((left_out & ~without_deflate) != 0) throw Failure("read " + name + ", which has a chunk without its checksum");
  read.add(address, size, name);
  Bytes stored(size);
  check(H5Dread_chunk(dataset, H5P_DEFAULT, offset.data(), &left_out, stored.data()), "read a chunk of " + name);
  Bytes values = unfiltered_chunk(stored, chunking.chunk_bytes(), chunking.value_size, left_out == 0);
  if (values.empty()) throw Failure("read " + name + ", which has a damaged chunk");
  return values;
}

void require_own_chunks(hid_t dataset, const std::string& name, const Chunking& chunking) {
  const Handle creation(H5Dget_create_plist(dataset), "inspect " + name);
  std::vector<hsize_t> extent(chunking.extent.size());
  check(H5Pget_chunk(creation, static_cast<int>(extent.size()), extent.data()), "inspect " + name);
  const Handle all(H5Dget_space(dataset), "inspect " + name);
  hsize_t count = 0;
  check(H5Dget_num_chunks(dataset, all, &count), "count the chunks of " + name);
  if (count != chunking.count() || !std::equal(extent.begin(), extent.end(), chunking.extent.begin()))
    throw Failure("read " + name + ", which has other chunks than psflip writes");
}

/// Refuses values without the checksum that the dataset states; those of other programs and old checkpoints state none.
void require_checksum(hid_t dataset, const std::string& name, std::uint32_t checksum) {
  if (check(H5Aexists(dataset, checksum_name), "inspect attributes") == 0) return;
  if (read_attribute(dataset, checksum_name) != Attribute(std::int64_t{checksum}))
    throw Failure("read " + name + ", whose values do not have their checksum");
}

/// Values that lie in the file as in memory, in pieces of the size of chunks.
void send_plain_values(hid_t dataset, const std::string& name, const ValueType& type, const Chunking& pieces,
                       Channel& to) {
  const Handle all(H5Dget_space(dataset), "inspect " + name);
  const bool is_one = H5Sget_simple_extent_type(all) == H5S_SCALAR;
  Bytes values;
  std::uint32_t checksum = 0;
  for (std::size_t k = 0; k < pieces.count(); ++k) {
    const std::vector<std::size_t> at = pieces.offset(k);
    std::vector<hsize_t> first(at.begin(), at.end()), extent(pieces.extent.begin(), pieces.extent.end());
    hsize_t count = 1;
    for (std::size_t d = 0; d < first.size(); ++d)
      count *= extent[d] = std::min<hsize_t>(extent[d], pieces.shape[d] - first[d]);
    values.resize(count * type.size);
    const Handle here(H5Screate_simple(1, &count, nullptr), "shape " + name);
    if (!is_one)
      check(H5Sselect_hyperslab(all, H5S_SELECT_SET, first.data(), nullptr, extent.data(), nullptr), "select " + name);
    check(H5Dread(dataset, type.native, here, all, H5P_DEFAULT, values.data()), "read " + name);
    checksum = crc32_of(values, checksum);
    to.send(content::values);
    to.send(values.data(), values.size());
  }
  require_checksum(dataset, name, checksum);
}

void send_values(hid_t dataset, const std::string& name, const ValueType& type, const std::vector<std::size_t>& shape,
                 bool is_chunked, ReadBytes& read, Channel& to) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return;
  const Chunking pieces(shape.empty() ? std::vector<std::size_t>{1} : shape, type.size);
  if (!is_chunked) {
    if (const haddr_t address = H5Dget_offset(dataset); address != HADDR_UNDEF)
      read.add(address, H5Dget_storage_size(dataset), name);
    return send_plain_values(dataset, name, type, pieces, to);
  }
  require_own_chunks(dataset, name, pieces);
  for (std::size_t k = 0; k < pieces.count(); ++k) {
    const Bytes values = chunk_of(dataset, name, pieces, k, read);
    to.send(content::values);
    to.send(values.data(), pieces.part_bytes(k));
  }
}

std::string optional_text(hid_t dataset, const char* name) {
  if (check(H5Aexists(dataset, name), "inspect attributes") == 0) return {};
  const Attribute attribute = read_attribute(dataset, name);
  const auto* text = std::get_if<std::string>(&attribute);
  return text == nullptr ? std::string() : *text;
}

std::string scale_name(hid_t dataset, unsigned dimension, const std::string& name) {
  std::string found;
  const auto visit = [](hid_t, unsigned, hid_t scale, void* result) -> herr_t {
    char text[256] = {};
    if (H5DSget_scale_name(scale, text, sizeof text) < 0) return -1;
    static_cast<std::string*>(result)->assign(text, strnlen(text, sizeof text));
    return 1;
  };
  check(H5DSiterate_scales(dataset, dimension, nullptr, visit, &found), "find the axes of " + name);
  if (found.empty()) throw Failure("find the axes of dataset " + name);
  return found;
}

void send_entry(hid_t root, const std::string& name, ReadBytes& read, Channel& to) {
  const Handle dataset = open_dataset(root, name);
  const bool is_chunked = require_own_storage(dataset, name);
  const ValueType type = value_type(dataset, name);
  const std::vector<std::size_t> shape = shape_of(dataset, name, type.size);
  const bool is_axis = check(H5DSis_scale(dataset), "inspect " + name) > 0;
  std::vector<std::string> axes;
  for (unsigned d = 0; d < shape.size(); ++d) axes.push_back(is_axis ? name : scale_name(dataset, d, name));
  to.send(is_axis ? content::axis : content::dataset);
  to.send(name);
  to.send(optional_text(dataset, "units"));
  to.send(optional_text(dataset, "description"));
  to.send(type.index);
  to.send(static_cast<std::uint8_t>(shape.size()));
  for (std::size_t d = 0; d < shape.size(); ++d) {
    to.send(axes[d]);
    to.send(std::uint64_t{shape[d]});
  }
  send_values(dataset, name, type, shape, is_chunked, read, to);
}

void send_all(hid_t file, Channel& to) {
  for (const std::string& name : attribute_names(file)) {
    const Attribute value = read_attribute(file, name);
    to.send(content::attribute);
    to.send(name);
    to.send(static_cast<std::uint8_t>(value.index()));
    std::visit([&](const auto& one) { to.send(one); }, value);
  }
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  check(H5Literate(file, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, collect, &names), "list the datasets");
  ReadBytes read;
  for (const std::string& name : names) send_entry(file, name, read, to);
}

}  // namespace

Handle open_image(Bytes bytes) {
  const Handle access = memory_access();
  check(H5Pset_file_image(access, bytes.data(), bytes.size()), "take the file into memory");
  Bytes().swap(bytes);
  return {H5Fopen(memory_file, H5F_ACC_RDONLY, access), "open the file"};
}

void send_content(Bytes bytes, Channel& to) {
  try {
    const Handle file = open_image(std::move(bytes));
    send_all(file, to);
    to.send(content::end);
  } catch (const Failure& failure) {
    to.send(content::failure);
    to.send(std::string(failure.what()));
  }
}

}  // namespace psflip::io::hdf5
