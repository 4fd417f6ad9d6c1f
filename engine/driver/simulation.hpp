#pragma once
#include <functional>
#include <memory>

#include "engine/driver/ranks.hpp"
#include "engine/driver/recorder.hpp"
#include "engine/driver/simulated_job.hpp"

namespace psflip {

using MakeEngine = std::function<std::unique_ptr<Engine>(const System&)>;

/// The loop of every job without exchanges, written once: for each temperature start, advance, measure. All ranks run
/// it together; the files of rank 0 are the job's.
class Simulation final : public SimulatedJob {
 public:
  Simulation(Job job, MakeEngine make_engine, const Ranks& ranks = single_process());

  bool run(const std::function<bool()>& should_stop, const std::function<void()>& after_chunk) override;

  const Job& job() const { return job_; }
  const Recorder& recorder() const { return *recorder_; }
  double flips_done() const override;
  double flips_total() const override;
  double seconds() const override { return seconds_; }
  double seconds_measuring() const { return seconds_measuring_; }
  io::Attributes timings() const override;

  io::LabelledFile measurement() override;
  io::LabelledFile checkpoint() const override;
  void resume(const io::LabelledFile& checkpoint) override;

 private:
  void start_temperature();
  void step();
  void record_observed();
  void finish_temperature();
  std::vector<std::int8_t> couplings_made_again() const;

  Job job_;
  MakeEngine make_engine_;
  const Ranks& ranks_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Engine> engine_;
  std::vector<std::uint64_t> times_;
  std::size_t temperature_ = 0, next_ = 0;  ///< being simulated; its next measurement to be recorded
  bool observing_ = false;                  ///< that measurement has begun; a checkpoint leaves it out and repeats it
  PackedSigns final_spins_;                 ///< of finished temperatures, with --save-spins
  std::vector<std::int8_t> couplings_;
  bool has_couplings_ = false;
  std::string halo_;  ///< Engine::halo() of the last engine
  double seconds_ = 0, seconds_measuring_ = 0, seconds_per_sweep_ = 0;
};

}  // namespace psflip
