#pragma once
#include <algorithm>
#include <functional>
#include <memory>

#include "engine/driver/ranks.hpp"
#include "engine/driver/recorder.hpp"

namespace psflip {

/// The loop of every job, written once: for each leg of the method an engine that advances to the next stop, a
/// measurement, a record. The recorder takes a measurement while the engine does the next rounds. All ranks run the
/// loop together; the files of rank 0 are those of the job.
class Simulation {
 public:
  Simulation(Job job, MakeEngine make_engine, const Ranks& ranks = single_process());

  /// Continues until the job is finished or `should_stop` (asked several times a second) returns true. Returns true if
  /// finished. `after_chunk` is called between two chunks of rounds, for progress and checkpoints.
  bool run(const std::function<bool()>& should_stop, const std::function<void()>& after_chunk);

  const Job& job() const { return job_; }
  const Recorder& recorder() const { return *recorder_; }
  double flips_done() const;
  double flips_total() const;
  /// Spent in run(), of all runs of an interrupted job; and the part of it in which no rounds were done.
  double seconds() const { return seconds_; }
  double seconds_measuring() const { return std::max(0.0, seconds_measuring_); }  // differences of two clocks
  /// The time attributes of docs/file-format.md that the job can tell.
  io::Attributes timings() const;

  /// The labelled arrays of docs/file-format.md without provenance attributes. Only of a finished job, and once: the
  /// arrays leave the simulation without a copy.
  io::LabelledFile measurement();
  /// Everything needed to continue: state of the engine, position, measurements so far. Takes a pending measurement
  /// first: sums that the engine has handed out are nowhere else.
  io::LabelledFile checkpoint();
  /// Continues from a checkpoint of the same job; throws UserError if it belongs to another.
  void resume(const io::LabelledFile& checkpoint);

 private:
  /// The system of leg number `leg`, known once the leg before has ended.
  System system_of(std::size_t leg) const;
  /// An engine with the disorder of the job.
  std::unique_ptr<Engine> make_engine(const System& system) const;
  void start_leg();
  void step();
  /// Whether the configurations at a stop are saved.
  bool saves_spins_at(std::size_t leg, std::size_t stop) const;
  void save_spins();
  void require_position(const io::LabelledFile& checkpoint) const;
  void restore_engine(const io::LabelledFile& checkpoint);
  void require_saved_spins(const io::LabelledFile& checkpoint) const;
  Intervals intervals_to(std::size_t stop) const;
  void take_readings();
  void finish_leg();
  void finish_rounds();
  void take_disorder(const Engine& engine);
  double flips_of_leg(std::size_t leg, std::uint64_t rounds) const;

  Job job_;
  MakeEngine make_engine_;
  const Ranks& ranks_;
  std::vector<Leg> legs_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Engine> engine_;
  std::size_t leg_ = 0, next_ = 0;    ///< being simulated; its next stop to be recorded
  std::uint64_t read_ = 0;            ///< stops from that one on that have been read but not recorded
  std::vector<std::uint64_t> packs_;  ///< that an extended leg continues, by their index in the job
  PackedSigns saved_spins_;           ///< of the stops so far, [leg][stop][slot][sample][replica]
  PackedSigns couplings_, fields_;
  bool has_disorder_ = false;
  std::string halo_;  ///< Engine::halo() of the last engine
  double seconds_ = 0, seconds_measuring_ = 0, seconds_per_round_ = 0;
};

}  // namespace psflip
