#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "engine/io/chunks.hpp"
#include "engine/io/hdf5.hpp"

namespace psflip::io::hdf5 {
namespace {

using Shape = std::vector<hsize_t>;

Handle string_type() {
  Handle type(H5Tcopy(H5T_C_S1), "make a string type");
  check(H5Tset_size(type, H5T_VARIABLE), "make a string type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "make a string type");
  return type;
}

void write_attribute(hid_t object, const std::string& name, hid_t type, const void* value) {
  const Handle space(H5Screate(H5S_SCALAR), "make a dataspace");
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), "create " + name);
  check(H5Awrite(attribute, type, value), "write " + name);
}

void write_attribute(hid_t object, const std::string& name, const Attribute& attribute) {
  if (const auto* text = std::get_if<std::string>(&attribute)) {
    const char* characters = text->c_str();
    write_attribute(object, name, string_type(), &characters);
  } else if (const auto* integer = std::get_if<std::int64_t>(&attribute)) {
    write_attribute(object, name, H5T_NATIVE_INT64, integer);
  } else {
    write_attribute(object, name, H5T_NATIVE_DOUBLE, &std::get<double>(attribute));
  }
}

/// HDF5 cannot chunk, and therefore not filter, an empty dataset or a single number.
bool is_filtered(const Shape& shape, const Writing& how) {
  return how.storage == Storage::compressed && !shape.empty() &&
         std::find(shape.begin(), shape.end(), 0) == shape.end();
}

Handle creation_properties(const Chunking* chunking) {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), "prepare a dataset");
  check(H5Pset_obj_track_times(properties, false), "prepare a dataset");
  if (chunking == nullptr) return properties;
  const Shape extent(chunking->extent.begin(), chunking->extent.end());
  check(H5Pset_chunk(properties, static_cast<int>(extent.size()), extent.data()), "chunk a dataset");
  check(H5Pset_shuffle(properties), "shuffle a dataset");
  check(H5Pset_deflate(properties, 2), "compress a dataset");
  check(H5Pset_fletcher32(properties), "checksum a dataset");
  return properties;
}

void write_chunks(hid_t dataset, const std::string& name, const Chunking& chunking, std::span<const std::byte> array,
                  int threads) {
  for_each_filtered_chunk(chunking, array, threads, [&](std::size_t k, const Bytes& bytes) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // of this thread: failures throw, and HDF5 would print them as well
    const std::vector<std::size_t> at = chunking.offset(k);
    const Shape offset(at.begin(), at.end());
    check(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, offset.data(), bytes.size(), bytes.data()), "write " + name);
  });
}

Handle write_values(hid_t root, const std::string& name, const Shape& shape, const Values& values, const Writing& how) {
  return std::visit(
      [&]<class T>(const std::vector<T>& data) {
        const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), "shape " + name);
        std::optional<Chunking> chunking;
        if (is_filtered(shape, how)) chunking.emplace(std::vector<std::size_t>(shape.begin(), shape.end()), sizeof(T));
        const Handle properties = creation_properties(chunking ? &*chunking : nullptr);
        Handle dataset(H5Dcreate2(root, name.c_str(), native_type<T>(), space, H5P_DEFAULT, properties, H5P_DEFAULT),
                       "create dataset " + name);
        if (chunking)
          write_chunks(dataset, name, *chunking, std::as_bytes(std::span(data)), how.threads);
        else if (!data.empty())
          check(H5Dwrite(dataset, native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), "write " + name);
        if (how.storage == Storage::plain)
          write_attribute(dataset, checksum_name, std::int64_t{crc32_of(std::as_bytes(std::span(data)))});
        return dataset;
      },
      values);
}

void describe(hid_t dataset, const std::string& units, const std::string& description) {
  if (!units.empty()) write_attribute(dataset, "units", units);
  if (!description.empty()) write_attribute(dataset, "description", description);
}

std::map<std::string, Handle> write_axes(hid_t root, const std::vector<Axis>& axes, const Writing& how) {
  std::map<std::string, Handle> scales;
  for (const Axis& axis : axes) {
    Handle dataset = write_values(root, axis.name, {size(axis.values)}, axis.values, how);
    check(H5DSset_scale(dataset, axis.name.c_str()), "make an axis of " + axis.name);
    describe(dataset, axis.units, axis.description);
    if (!scales.emplace(axis.name, std::move(dataset)).second)
      throw std::logic_error("two axes are named " + axis.name);
  }
  return scales;
}

Shape shape_of(const Dataset& dataset, const std::vector<Axis>& axes) {
  Shape shape;
  hsize_t total = 1;
  for (const std::string& name : dataset.axes) {
    const auto axis = std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.name == name; });
    if (axis == axes.end()) throw std::logic_error("dataset " + dataset.name + " has an unknown axis " + name);
    shape.push_back(size(axis->values));
    total *= shape.back();
  }
  if (total != size(dataset.values))
    throw std::logic_error("dataset " + dataset.name + " has not as many values as its axes require");
  return shape;
}

Handle create_file(hid_t access) {
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), "prepare the file");
  constexpr unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
  check(H5Pset_link_creation_order(creation, order), "keep the order of datasets");
  check(H5Pset_attr_creation_order(creation, order), "keep the order of attributes");
  check(H5Pset_obj_track_times(creation, false), "leave times out");
  // The name is never opened: the file stays in memory.
  return Handle(H5Fcreate(memory_file, H5F_ACC_TRUNC, creation, access), "create the file");
}

Bytes image_of(hid_t file) {
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush the file");
  const auto bytes = check(H5Fget_file_image(file, nullptr, 0), "measure the file");
  Bytes image;
  image.reserve(static_cast<std::size_t>(bytes) + seal_size);
  image.resize(static_cast<std::size_t>(bytes));
  check(H5Fget_file_image(file, image.data(), image.size()), "copy the file");
  return image;
}

}  // namespace

Bytes to_image(const LabelledFile& file, const Attributes& attributes, const Writing& how) {
  const Handle access = memory_access();
  const Handle target = create_file(access);
  for (const auto& [name, attribute] : attributes) write_attribute(target, name, attribute);
  {
    const auto scales = write_axes(target, file.axes, how);
    for (const Dataset& entry : file.datasets) {
      const Handle dataset = write_values(target, entry.name, shape_of(entry, file.axes), entry.values, how);
      for (std::size_t d = 0; d < entry.axes.size(); ++d)
        check(H5DSattach_scale(dataset, scales.at(entry.axes[d]), static_cast<unsigned>(d)), "attach axes");
      describe(dataset, entry.units, entry.description);
    }
  }
  write_attribute(target, "complete", std::int64_t{1});
  return image_of(target);
}

}  // namespace psflip::io::hdf5
