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

  /// Throws UserError when the file has no such entry or it has another type.
  std::int64_t integer(const std::string& attribute) const;
  double real(const std::string& attribute) const;
  const std::string& text(const std::string& attribute) const;
  const Axis& axis(const std::string& name) const;
  const Dataset& dataset(const std::string& name) const;
  bool has_dataset(const std::string& name) const;
};

/// Writes to `path` + ".tmp.<pid>" in the same folder, flushes to disk, renames. Sets `format`, `format_version` and, last,
/// `complete`. Throws UserError (no file left behind) when the folder is missing, not writable or the disk is full.
void write(const std::filesystem::path& path, const LabelledFile& file);

/// Reads a whole file and verifies format, completeness and checksums. `kind` is the required kind attribute.
/// Throws UserError naming the file for anything missing, foreign, truncated or corrupted.
LabelledFile read(const std::filesystem::path& path, const std::string& kind);

}  // namespace psflip::io
