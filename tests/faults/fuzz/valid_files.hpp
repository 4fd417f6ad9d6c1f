#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/io/labelled_file.hpp"
#include "engine/io/sealed_bytes.hpp"

/// Valid files of every kind that psflip reads, and how psflip uses them.
namespace psflip::fuzz {

struct ValidFile {
  std::string name;
  io::LabelledFile content;
  bool is_sealed = true;
  /// Reads and uses the file as the executables do; the results as text. Throws UserError if it refuses the file.
  std::function<std::string(const std::filesystem::path&)> use;
  io::Storage storage = io::Storage::compressed;

  /// As HDF5, without the seal.
  io::Bytes image() const;
};

/// Measurement files of the three methods, reduced files of them, checkpoints, and a file of --disorder. `folder` gets
/// files that are needed meanwhile.
std::vector<ValidFile> valid_files(const std::filesystem::path& folder);

}  // namespace psflip::fuzz
