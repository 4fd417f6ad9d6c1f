#include <memory>

#include "engine/io/hdf5.hpp"

namespace psflip::io::hdf5 {
namespace {

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

/// A scalar attribute as text, 64-bit integer or double; other shapes and classes are refused.
Attribute read_attribute(hid_t object, const std::string& name) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), "open attribute " + name);
  const Handle space(H5Aget_space(attribute), "inspect " + name);
  if (H5Sget_simple_extent_npoints(space) != 1) throw Failure("read attribute " + name + ", which is not one value");
  const Handle type(H5Aget_type(attribute), "inspect " + name);
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      return read_string(attribute, type, name);
    case H5T_INTEGER: {
      std::int64_t value = 0;
      check(H5Aread(attribute, H5T_NATIVE_INT64, &value), "read " + name);
      return value;
    }
    case H5T_FLOAT: {
      double value = 0;
      check(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), "read " + name);
      return value;
    }
    default:
      throw Failure("read attribute " + name + ", which is neither text nor a number");
  }
}

Attributes read_attributes(hid_t root) {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  hsize_t position = 0;
  check(H5Aiterate2(root, H5_INDEX_NAME, H5_ITER_NATIVE, &position, collect, &names), "list the attributes");
  Attributes attributes;
  for (const std::string& name : names) attributes.emplace(name, read_attribute(root, name));
  return attributes;
}

std::string optional_text(hid_t dataset, const char* name) {
  if (check(H5Aexists(dataset, name), "inspect attributes") == 0) return {};
  const Attribute attribute = read_attribute(dataset, name);
  const auto* text = std::get_if<std::string>(&attribute);
  return text == nullptr ? std::string() : *text;
}

template <class T>
bool read_if(hid_t dataset, hid_t type, std::size_t count, const std::string& name, Values& values) {
  if (check(H5Tequal(type, native_type<T>()), "inspect " + name) == 0) return false;
  std::vector<T> data(count);
  if (count > 0) check(H5Dread(dataset, native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), "read " + name);
  values = std::move(data);
  return true;
}

Values read_values(hid_t dataset, const std::string& name) {
  const Handle space(H5Dget_space(dataset), "inspect " + name);
  const auto count = static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space), "inspect " + name));
  const Handle stored(H5Dget_type(dataset), "inspect " + name);
  const Handle type(H5Tget_native_type(stored, H5T_DIR_ASCEND), "inspect " + name);
  Values values;
  const bool known = read_if<std::int8_t>(dataset, type, count, name, values) ||
                     read_if<std::int32_t>(dataset, type, count, name, values) ||
                     read_if<std::uint32_t>(dataset, type, count, name, values) ||
                     read_if<std::int64_t>(dataset, type, count, name, values) ||
                     read_if<double>(dataset, type, count, name, values);
  if (!known) throw Failure("read dataset " + name + ", which has an unknown type");
  return values;
}

std::string scale_name(hid_t dataset, unsigned dimension, const std::string& name) {
  std::string found;
  const auto visit = [](hid_t, unsigned, hid_t scale, void* result) -> herr_t {
    char text[256] = {};
    if (H5DSget_scale_name(scale, text, sizeof text) < 0) return -1;
    *static_cast<std::string*>(result) = text;
    return 1;
  };
  check(H5DSiterate_scales(dataset, dimension, nullptr, visit, &found), "find the axes of " + name);
  if (found.empty()) throw Failure("find the axes of dataset " + name);
  return found;
}

void read_entry(hid_t root, const std::string& name, LabelledFile& file) {
  const Handle dataset(H5Dopen2(root, name.c_str(), H5P_DEFAULT), "open dataset " + name);
  Values values = read_values(dataset, name);
  std::string units = optional_text(dataset, "units");
  std::string description = optional_text(dataset, "description");
  if (check(H5DSis_scale(dataset), "inspect " + name) > 0) {
    file.axes.push_back({name, std::move(values), std::move(units), std::move(description)});
    return;
  }
  const Handle space(H5Dget_space(dataset), "inspect " + name);
  const int rank = check(H5Sget_simple_extent_ndims(space), "inspect " + name);
  std::vector<std::string> axes;
  for (int d = 0; d < rank; ++d) axes.push_back(scale_name(dataset, static_cast<unsigned>(d), name));
  file.datasets.push_back({name, std::move(axes), std::move(values), std::move(units), std::move(description)});
}

}  // namespace

LabelledFile from_image(Bytes bytes) {
  const Handle access = memory_access();
  check(H5Pset_file_image(access, bytes.data(), bytes.size()), "take the file into memory");
  Bytes().swap(bytes);
  const Handle source(H5Fopen(memory_file, H5F_ACC_RDONLY, access), "open the file");
  LabelledFile file;
  file.attributes = read_attributes(source);
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  check(H5Literate(source, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, collect, &names), "list the datasets");
  for (const std::string& name : names) read_entry(source, name, file);
  return file;
}

}  // namespace psflip::io::hdf5
