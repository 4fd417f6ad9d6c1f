#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/driver/packed_signs.hpp"
#include "engine/io/array_file.hpp"
#include "engine/methods/job.hpp"

/// Disorder that the user gives in a file instead of that of the seed: docs/own_samples.md.
namespace psflip {

/// Couplings and fields of the samples of a job; empty where the model has none.
struct Disorder {
  PackedSigns couplings;  ///< a row of sites for each [sample][direction]
  PackedSigns fields;     ///< a row of sites for each [sample]
};

/// Of `samples` samples those of some packs of 32, by their indices.
Disorder disorder_of_packs(const Disorder& all, std::uint64_t samples, const std::vector<std::uint64_t>& packs);

/// A file of psflip or of another program with samples and their disorder. All members throw UserError.
class DisorderFile {
 public:
  explicit DisorderFile(const std::filesystem::path& path);

  /// All samples of the file, which must have consecutive ids, become those of the system.
  void take_all_samples(System& system) const;
  /// The disorder of the samples of the system. Shapes are compared with the system before anything is read.
  GivenDisorder read(const System& system) const;

 private:
  std::vector<std::int64_t> read_ids() const;
  /// Place of the first sample of the system in the file.
  std::uint64_t place_of(const System& system) const;
  void refuse_dataset(const System& system, const std::string& name) const;
  /// Without directions the dataset has no axis of them.
  void require_dataset(const System& system, const std::string& name, std::size_t directions) const;

  std::filesystem::path path_;
  io::ArrayFile file_;
  std::vector<std::int64_t> ids_;
};

}  // namespace psflip
