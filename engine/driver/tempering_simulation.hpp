#pragma once
#include <functional>
#include <memory>

#include "engine/driver/ranks.hpp"
#include "engine/driver/simulated_job.hpp"
#include "engine/driver/slow_packs.hpp"

namespace psflip {

using MakeTempering = std::function<std::unique_ptr<TemperingEngine>(const TemperingSystem&)>;

/// The loop of a job of exchange Monte Carlo: rounds, bin after bin.
class TemperingSimulation final : public SimulatedJob {
 public:
  TemperingSimulation(TemperingJob job, MakeTempering make_engine, const Ranks& ranks = single_process());

  bool run(const std::function<bool()>& should_stop, const std::function<void()>& after_chunk) override;

  double flips_done() const override { return flips_after(rounds_done()); }
  double flips_total() const override { return flips_after(job_.longer.times * job_.rounds()); }
  double seconds() const override { return seconds_; }
  io::Attributes timings() const override { return {{"seconds", seconds_}}; }

  io::LabelledFile measurement() override;
  io::LabelledFile checkpoint() const override;
  void resume(const io::LabelledFile& checkpoint) override;

  const TemperingRecorder& recorder() const { return recorder_; }

 private:
  std::uint64_t rounds_done() const { return engine_ ? engine_->rounds() : 0; }
  /// The system that is simulated now.
  TemperingSystem present_system() const {
    return longer_.empty() ? job_.system : system_of_packs(job_.system, longer_);
  }
  void go_on_with_slowest();
  double flips_after(std::uint64_t rounds) const;
  void add_space(io::LabelledFile& file);

  TemperingJob job_;
  MakeTempering make_engine_;
  const Ranks& ranks_;
  TemperingRecorder recorder_;
  std::unique_ptr<TemperingEngine> engine_;  ///< from the first run() or resume() on
  std::vector<std::uint64_t> ends_;          ///< last round of each bin, then of each doubling of longer runs
  std::vector<std::uint64_t> longer_;        ///< places of the packs that go on, once all samples have their sweeps
  std::size_t bin_ = 0;
  double seconds_ = 0, seconds_per_round_ = 0;
};

}  // namespace psflip
