#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/io/labelled_file.hpp"

namespace psflip::analysis {

/// The histograms of the overlap of every sample of one system, and the sums of the link overlap in their bins, from
/// the shards of a job (docs/files/tempering.md). Of a shard nothing else is kept, so one is in memory at a time.
class OverlapHistograms {
 public:
  /// A measurement file whose job is known (require_known_job). Throws UserError if it has no histograms, or others
  /// than the shards before it.
  void add(const io::LabelledFile& measurement);

  std::size_t slots() const { return temperatures_.size(); }
  std::size_t bins() const { return bins_; }
  std::size_t samples() const { return ids_.size(); }
  /// Ids of the samples, in the order in which they were added.
  const std::vector<std::int64_t>& ids() const { return ids_; }
  bool has_link_sums(std::size_t slot) const { return link_place_[slot] >= 0; }

  /// Measurements of a sample in each bin, all pairs of replica sets together: `bins()` numbers.
  const std::int32_t* counts(std::size_t slot, std::size_t sample) const {
    return counts_[slot].data() + sample * bins_;
  }
  /// Sums of Q_l over these measurements.
  const std::int64_t* link_sums(std::size_t slot, std::size_t sample) const {
    return link_sums_[static_cast<std::size_t>(link_place_[slot])].data() + sample * bins_;
  }

 private:
  void start(const io::LabelledFile& measurement);
  void require_same(const io::LabelledFile& measurement) const;
  void require_possible(const io::LabelledFile& measurement, std::size_t first) const;

  std::filesystem::path path_;  ///< of the first shard
  std::size_t bins_ = 0;
  std::vector<double> temperatures_;
  std::vector<std::int64_t> link_slots_;
  std::vector<int> link_place_;  ///< [slot] index in link_sums_, -1: none
  std::vector<std::int64_t> ids_;
  std::vector<std::vector<std::int32_t>> counts_;     ///< [slot][sample * bins + bin]
  std::vector<std::vector<std::int64_t>> link_sums_;  ///< [slot with them][sample * bins + bin]
};

}  // namespace psflip::analysis
