#pragma once
#include <utility>
#include <vector>

#include "engine/driver/tempering_job.hpp"
#include "engine/io/labelled_file.hpp"

namespace psflip {

/// The datasets of docs/file-format.md, "Measurements of rfim3d". The arrays exist from the start and are filled bin by
/// bin.
class TemperingRecorder {
 public:
  explicit TemperingRecorder(const TemperingJob& job);

  /// Takes the sums of bin number `bin`.
  void record(std::size_t bin, const TemperingSums& sums);
  /// Samples of some packs, by their places in the job, have been simulated twice as long: the sums of the second half
  /// become their last bin, each other bin the one before, and the first two are one.
  void double_bins(const std::vector<std::uint64_t>& packs, const TemperingSums& second_half);
  const std::vector<io::Axis>& axes() const { return axes_; }
  const std::vector<io::Dataset>& datasets() const { return datasets_; }
  std::vector<io::Dataset> take_datasets() { return std::move(datasets_); }  ///< at the end; nothing can follow
  /// Takes back the arrays that a checkpoint has kept.
  void restore(const io::LabelledFile& checkpoint);

 private:
  void add_axes(const TemperingJob& job);
  void add_schedule(const TemperingJob& job);
  template <class T>
  std::vector<T>& values(std::size_t dataset);

  std::size_t slots_, samples_, bins_;
  /// Places in datasets_; the last one is there only where the job has longer runs.
  std::size_t first_set_sum_ = 0, first_pair_sum_ = 0, accepted_ = 0, round_trips_ = 0, times_longer_ = 0;
  std::vector<io::Axis> axes_;
  std::vector<io::Dataset> datasets_;
};

}  // namespace psflip
