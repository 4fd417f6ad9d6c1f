#include "engine/io/labelled_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "engine/io/child_process.hpp"
#include "engine/io/content.hpp"
#include "engine/io/error.hpp"
#include "engine/io/hdf5.hpp"
#include "engine/io/sealed_bytes.hpp"

namespace psflip::io {
namespace {

constexpr std::string_view format_name = "psflip";
constexpr std::int64_t format_version = 1;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
  throw UserError(fmt::format("Cannot use {}: {}.", path.string(), reason));
}

std::string name_of(const LabelledFile& file) { return file.path.empty() ? "the file" : file.path.string(); }

/// `entry` is for example "attribute seed".
[[noreturn]] void refuse_entry(const LabelledFile& file, const std::string& entry, const std::string& problem) {
  throw UserError(fmt::format("Cannot use {}: its {} {}; make the file again with this version of psflip.",
                              name_of(file), entry, problem));
}

template <class T>
const T& attribute_of(const LabelledFile& file, const std::string& name, const char* type) {
  const auto found = file.attributes.find(name);
  if (found == file.attributes.end()) refuse_entry(file, "attribute " + name, "is missing");
  const T* value = std::get_if<T>(&found->second);
  if (value == nullptr) refuse_entry(file, "attribute " + name, fmt::format("is not {}", type));
  return *value;
}

template <class Entry>
const Entry* find(const std::vector<Entry>& entries, const std::string& name) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

/// Refuses a file that is not complete or not as psflip wrote it, before HDF5 interprets a byte of it: the library may
/// crash on damaged metadata, and its checksums leave attributes and indices uncovered.
void require_whole(const std::filesystem::path& path, const Bytes& bytes) {
  static constexpr std::array<unsigned char, 8> signature = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  if (bytes.empty()) refuse(path, "it is empty; remove it and run its job again");
  const Seal seal = check_seal(bytes);
  if (seal == Seal::whole) return;
  if (seal == Seal::broken) refuse(path, "its checksum is wrong, so it is corrupted; remove it and run its job again");
  if (bytes.size() < signature.size() || std::memcmp(bytes.data(), signature.data(), signature.size()) != 0)
    refuse(path, "it is not an HDF5 file; give a file that psflip wrote");
  refuse(path,
         "the seal that psflip puts at the end is missing, so it is truncated, was changed afterwards or comes from "
         "another "
         "program; remove it and run its job again, or give another file");
}

void require_format(const LabelledFile& file, const std::string& kind) {
  const auto is = [&](const char* name, const Attribute& wanted) {
    const auto found = file.attributes.find(name);
    return found != file.attributes.end() && found->second == wanted;
  };
  if (!is("format", std::string(format_name)))
    refuse(file.path, "psflip did not write it; give a file that psflip wrote");
  if (!is("complete", std::int64_t{1})) refuse(file.path, "it is incomplete; remove it and run its job again");
  if (file.integer("format_version") != format_version)
    refuse(file.path, fmt::format("its format version is {}, this program reads version {}; make it again",
                                  file.integer("format_version"), format_version));
  if (!kind.empty() && file.text("kind") != kind)
    refuse(file.path, fmt::format("it is a {} file where a {} file is wanted; give one of that kind",
                                  file.text("kind").substr(0, 60), kind));
}

}  // namespace

std::int64_t LabelledFile::integer(const std::string& attribute) const {
  return attribute_of<std::int64_t>(*this, attribute, "an integer");
}

double LabelledFile::real(const std::string& attribute) const {
  return attribute_of<double>(*this, attribute, "a real number");
}

const std::string& LabelledFile::text(const std::string& attribute) const {
  return attribute_of<std::string>(*this, attribute, "text");
}

const Axis& LabelledFile::axis(const std::string& name) const {
  const Axis* found = find(axes, name);
  if (found == nullptr) refuse_entry(*this, "axis " + name, "is missing");
  return *found;
}

const Dataset& LabelledFile::dataset(const std::string& name) const {
  const Dataset* found = find(datasets, name);
  if (found == nullptr) refuse_entry(*this, "dataset " + name, "is missing");
  return *found;
}

bool LabelledFile::has_dataset(const std::string& name) const { return find(datasets, name) != nullptr; }

const Values& LabelledFile::any_values(const std::string& name) const {
  const Axis* coordinate = find(axes, name);
  return coordinate != nullptr ? coordinate->values : dataset(name).values;
}

void LabelledFile::refuse_type(const std::string& name) const {
  refuse_entry(*this, "dataset " + name, "has another number type");
}

std::size_t size(const Values& values) {
  return std::visit([](const auto& data) { return data.size(); }, values);
}

void write(const std::filesystem::path& path, const LabelledFile& file, const Writing& how) {
  Attributes attributes = file.attributes;
  attributes["format"] = std::string(format_name);
  attributes["format_version"] = format_version;
  attributes.erase("complete");
  require_writable(path);
  Bytes bytes;
  try {
    const auto lock = hdf5::quiet();
    bytes = hdf5::to_image(file, attributes, how);
  } catch (const hdf5::Failure& failure) {
    throw UserError(
        fmt::format("Cannot write {}: HDF5 failed to {}; check the free memory.", path.string(), failure.what()));
  }
  seal(bytes);
  write_atomically(path, bytes.data(), bytes.size(), how.keep_old_as);
}

LabelledFile read(const std::filesystem::path& path, const std::string& kind) {
  Bytes bytes = read_bytes(path);
  require_whole(path, bytes);
  remove_seal(bytes);
  LabelledFile file;
  {
    const auto lock = hdf5::quiet();
    ChildProcess reader(bytes.size(), [&](Channel& to) { hdf5::send_content(std::move(bytes), to); });
    Bytes().swap(bytes);
    try {
      file = content::receive(reader.channel(), path);
    } catch (const Disconnected&) {
      refuse(path,
             fmt::format("the process that reads it {}, so psflip did not write it; give a file that psflip wrote",
                         reader.death()));
    }
  }
  file.path = path;
  require_format(file, kind);
  return file;
}

}  // namespace psflip::io
