#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "engine/driver/job.hpp"
#include "engine/io/labelled_file.hpp"

namespace psflip {

/// What a job measures, in the datasets of docs/file-format.md. The arrays exist from the start and are filled as the
/// simulation goes on, so a checkpoint is these arrays and a configuration.
class Recorder {
 public:
  virtual ~Recorder() = default;
  /// Takes the observation of measurement number `index` at temperature number `temperature`.
  virtual void record(std::size_t temperature, std::size_t index, const Observation& observation) = 0;
  const std::vector<io::Axis>& axes() const { return axes_; }
  const std::vector<io::Dataset>& datasets() const { return datasets_; }
  std::vector<io::Dataset> take_datasets() { return std::move(datasets_); }  ///< at the end; nothing can follow
  /// Takes back the arrays that a checkpoint has kept.
  void restore(const io::LabelledFile& checkpoint);

 protected:
  /// The axis and values common to all models.
  explicit Recorder(const Job& job);
  std::vector<io::Axis> axes_;
  std::vector<io::Dataset> datasets_;
};

std::unique_ptr<Recorder> make_recorder(const Job& job);

}  // namespace psflip
