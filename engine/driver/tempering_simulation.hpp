#pragma once
#include <functional>
#include <memory>

#include "engine/driver/ranks.hpp"
#include "engine/driver/simulated_job.hpp"
#include "engine/driver/tempering_recorder.hpp"

namespace psflip {

using MakeTempering = std::function<std::unique_ptr<TemperingEngine>(const TemperingSystem&)>;

/// The loop of a job of exchange Monte Carlo: rounds, bin after bin.
class TemperingSimulation final : public SimulatedJob {
 public:
  TemperingSimulation(TemperingJob job, MakeTempering make_engine, const Ranks& ranks = single_process());

  bool run(const std::function<bool()>& should_stop, const std::function<void()>& after_chunk) override;

  double flips_done() const override;
  double flips_total() const override;
  double seconds() const override { return seconds_; }
  io::Attributes timings() const override { return {{"seconds", seconds_}}; }

  io::LabelledFile measurement() override;
  io::LabelledFile checkpoint() const override;
  void resume(const io::LabelledFile& checkpoint) override;

  const TemperingRecorder& recorder() const { return recorder_; }

 private:
  std::uint64_t rounds_done() const { return engine_ ? engine_->rounds() : 0; }
  void add_space(io::LabelledFile& file) const;

  TemperingJob job_;
  MakeTempering make_engine_;
  const Ranks& ranks_;
  TemperingRecorder recorder_;
  std::unique_ptr<TemperingEngine> engine_;  ///< from the first run() or resume() on
  std::vector<std::uint64_t> ends_;          ///< last round of each bin
  std::size_t bin_ = 0;
  double seconds_ = 0, seconds_per_round_ = 0;
};

}  // namespace psflip
