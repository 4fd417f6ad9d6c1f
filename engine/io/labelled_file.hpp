#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

/// Labelled arrays in one HDF5 file: the single file shape of psflip (docs/file-format.md).
namespace psflip::io {

using Attribute = std::variant<std::int64_t, double, std::string>;
using Attributes = std::map<std::string, Attribute>;

/// Row-major values of one dataset.
using Values = std::variant<std::vector<std::int8_t>, std::vector<std::int32_t>, std::vector<std::uint32_t>,
                            std::vector<std::int64_t>, std::vector<double>>;

/// A named coordinate; its length is the number of its values.
struct Axis {
  std::string name;
  Values values;
  std::string units;
  std::string description;
};

/// A dataset over named axes; shape = lengths of those axes, in order.
struct Dataset {
  std::string name;
  std::vector<std::string> axes;
  Values values;
  std::string units;
  std::string description;
};

struct LabelledFile {
  Attributes attributes;
  std::vector<Axis> axes;
  std::vector<Dataset> datasets;
  std::filesystem::path path;  ///< where it was read, named in messages; empty for a file made in memory

  /// Throws UserError when the file has no such entry or it has another type.
  std::int64_t integer(const std::string& attribute) const;
  double real(const std::string& attribute) const;
  const std::string& text(const std::string& attribute) const;
  const Axis& axis(const std::string& name) const;
  const Dataset& dataset(const std::string& name) const;
  bool has_dataset(const std::string& name) const;

  /// The values of dataset or axis `name` as vector<T>; UserError when it is missing or of another type.
  template <class T>
  const std::vector<T>& values(const std::string& name) const {
    const auto* typed = std::get_if<std::vector<T>>(&any_values(name));
    if (typed == nullptr) refuse_type(name);
    return *typed;
  }

 private:
  const Values& any_values(const std::string& name) const;
  [[noreturn]] void refuse_type(const std::string& name) const;
};

/// Number of values.
std::size_t size(const Values& values);

/// How datasets lie in a file: compressed and with checksums of their own, or as they are in memory, which is as fast
/// as the disk. The seal covers the whole file either way.
enum class Storage { compressed, plain };

/// How write() goes about it.
struct Writing {
  Storage storage = Storage::compressed;
  std::filesystem::path keep_old_as = {};  ///< name that a file which was there takes once the new one is complete
  int threads = 1;                         ///< that compress; the file is the same for any number
};

/// Writes to `path` + ".tmp.<pid>" in the same folder, flushes to disk, renames. Sets `format`, `format_version` and,
/// last, `complete`. Throws UserError (no file left behind) when the folder is missing, not writable or the disk is
/// full; std::logic_error when the axes and shapes of `file` do not fit together.
void write(const std::filesystem::path& path, const LabelledFile& file, const Writing& how = {});

/// Reads a whole file and verifies format, completeness and checksums. `kind` is the required kind attribute, empty for
/// any. Throws UserError naming the file for anything missing, foreign, truncated or corrupted.
LabelledFile read(const std::filesystem::path& path, const std::string& kind);

/// Throws the UserError that write(path, ...) would meet for a missing folder or one that is not writable. Meant for
/// the start of a long job.
void require_writable(const std::filesystem::path& path);

/// Writes text as write() does: temporary name, flush, rename; nothing is left behind when it fails.
void write_text(const std::filesystem::path& path, const std::string& text);

}  // namespace psflip::io
