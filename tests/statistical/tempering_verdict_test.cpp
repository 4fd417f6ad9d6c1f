#include <gtest/gtest.h>

#include "analysis/physics/observables.hpp"
#include "analysis/physics/reduce.hpp"
#include "engine/cpu/cpu.hpp"
#include "engine/driver/tempering_simulation.hpp"

/// The verdict of equilibration on runs of the real engine that are visibly too short, and on one that is long.
/// Seeds are fixed, so a result is the same on every run and every machine.
namespace psflip::physics {
namespace {

std::vector<TemperingVerdict> verdicts_after(std::uint64_t sweeps) {
  TemperingJob job;
  job.system.model = Model::rfim3d;
  job.system.L = 8;
  job.system.h = 1;
  job.system.seed = 23;
  job.system.samples = 256;
  job.system.replicas = tempering_sets;
  job.system.exchange_interval = 4;
  job.T = {3.5, 3.7, 3.88, 4.05, 4.24, 4.5};
  for (const double T : job.T) job.system.betas.push_back(1 / T);
  job.sweeps = sweeps;
  job.bins = 4;
  TemperingSimulation simulation(job, [](const TemperingSystem& system) { return cpu::make_tempering(system, 1, 0); });
  simulation.run([] { return false; }, [] {});
  std::vector<TemperingVerdict> verdicts;
  for (const Ensemble& slot : reduce(simulation.measurement(), {})) verdicts.push_back(rfim3d_verdict(slot).value());
  return verdicts;
}

TEST(TemperingVerdict, RejectsRunsThatAreTooShortAndAcceptsALongOne) {
  for (const std::uint64_t sweeps : {128, 256, 512}) {
    const auto verdicts = verdicts_after(sweeps);
    for (std::size_t slot = 0; slot < 3; ++slot)
      EXPECT_FALSE(verdicts[slot].even || verdicts[slot].sectors) << sweeps << " sweeps, slot " << slot;
  }
  for (const TemperingVerdict& verdict : verdicts_after(8192)) {
    EXPECT_TRUE(verdict.even);
    EXPECT_TRUE(verdict.sectors);
  }
}

}  // namespace
}  // namespace psflip::physics
