#pragma once
#include <optional>

#include "engine/app/run/run_job.hpp"
#include "engine/driver/simulation.hpp"
#include "engine/io/checkpoint_file.hpp"

namespace psflip::app {

/// Writes the checkpoints of a job and adds up their cost; does nothing for a job without --checkpoint. All
/// ranks make a checkpoint together, rank 0 writes and reads it. All ranks call the members together.
class Checkpoints {
 public:
  /// Locks the checkpoint; throws UserError when another process runs this job.
  Checkpoints(Simulation& simulation, const Execution& execution);

  bool kept() const { return kept_; }
  /// Continues from the newest complete checkpoint, if there is one, and says so on stderr.
  void resume();
  void write();
  void write_if_due();
  /// Of a job whose output is written.
  void remove();
  /// Spent in write(), of all segments of an interrupted job.
  double seconds() const { return seconds_; }

 private:
  double interval() const;

  Simulation& simulation_;
  const Ranks& ranks_;
  bool kept_;
  std::optional<io::CheckpointFile> file_;  ///< of rank 0
  std::optional<double> interval_;
  double seconds_ = 0, last_ = 0, last_took_ = 0;
};

}  // namespace psflip::app
