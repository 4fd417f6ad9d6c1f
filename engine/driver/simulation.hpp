#pragma once
#include <functional>
#include <memory>

#include "engine/driver/recorder.hpp"

namespace psflip {

using MakeEngine = std::function<std::unique_ptr<Engine>(const System&)>;

/// The loop of every job, written once: for each temperature start, advance, measure; stop and go on anywhere.
class Simulation {
 public:
  Simulation(Job job, MakeEngine make_engine);

  /// Goes on until the job is finished or `should_stop` (asked several times a second) says so. Returns true when
  /// finished. `after_chunk` sees the simulation between two chunks of sweeps, for progress and checkpoints.
  bool run(const std::function<bool()>& should_stop, const std::function<void()>& after_chunk);

  const Job& job() const { return job_; }
  const Recorder& recorder() const { return *recorder_; }
  double flips_done() const;
  double flips_total() const;
  double seconds() const { return seconds_; }  ///< spent in run(), of all pieces of an interrupted job
  double seconds_measuring() const { return seconds_measuring_; }

  /// The labelled arrays of docs/file-format.md without provenance attributes. Only of a finished job.
  io::LabelledFile measurement() const;
  /// Everything needed to go on: configuration, position, measurements so far.
  io::LabelledFile checkpoint() const;
  /// Goes on from a checkpoint of the same job; throws UserError when it belongs to another.
  void resume(const io::LabelledFile& checkpoint);

 private:
  void start_temperature();
  void finish_temperature();
  std::uint64_t chunk_limit() const;

  Job job_;
  MakeEngine make_engine_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Engine> engine_;
  std::vector<std::uint64_t> times_;
  std::size_t temperature_ = 0, next_ = 0;  ///< being simulated; its next measurement
  std::vector<std::int8_t> final_spins_;    ///< of finished temperatures, with --save-spins
  std::vector<std::int8_t> couplings_;
  double seconds_ = 0, seconds_measuring_ = 0, seconds_per_sweep_ = 0;
};

}  // namespace psflip
