#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/models/equilibration.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/models/reduce.hpp"
#include "engine/cpu/cpu.hpp"
#include "engine/driver/simulation.hpp"

/// The equilibration test on runs of the real engine that are visibly too short, and on one that is long.
/// Seeds are fixed, so a result is the same on every run and every machine.
namespace psflip::analysis {
namespace {

std::vector<Ensemble> slots_after(std::uint64_t sweeps) {
  Job job;
  job.method = Method::tempering;
  job.system.model = Model::rfim3d;
  job.system.L = 8;
  job.system.h = 1;
  job.system.seed = 23;
  job.system.samples = 256;
  job.system.replicas = 2;
  job.exchange_interval = 4;
  job.T = {3.5, 3.7, 3.88, 4.05, 4.24, 4.5};
  for (const double T : job.T) job.beta.push_back(1 / T);
  job.sweeps = sweeps;
  job.bins = 4;
  Simulation simulation(job, [](const System& system) { return cpu::make_engine(system, 1, 0); });
  simulation.run([] { return false; }, [] {});
  return reduce(simulation.measurement(), {});
}

std::vector<Verdict> verdicts_after(std::uint64_t sweeps) {
  std::vector<Verdict> verdicts;
  for (const Ensemble& slot : slots_after(sweeps)) verdicts.push_back(tempering_verdict(slot).value());
  return verdicts;
}

statistics::Estimate estimate(const Ensemble& slot, const std::string& name) {
  const Observables wanted = observables(slot);
  const auto position = std::find(wanted.names.begin(), wanted.names.end(), name) - wanted.names.begin();
  return statistics::Jackknife(equilibrium_blocks(slot), wanted.evaluate).estimate(position);
}

TEST(Verdict, RejectsRunsThatAreTooShortAndAcceptsALongOne) {
  for (const std::uint64_t sweeps : {128, 256, 512}) {
    const auto verdicts = verdicts_after(sweeps);
    for (std::size_t slot = 0; slot < 3; ++slot) {
      EXPECT_FALSE(verdicts[slot].first_powers) << sweeps << " sweeps, slot " << slot;
      if (sweeps < 512) {
        EXPECT_FALSE(verdicts[slot].even) << sweeps << " sweeps, slot " << slot;
      }
    }
  }
  for (const Verdict& verdict : verdicts_after(8192)) {
    EXPECT_TRUE(verdict.even);
    EXPECT_TRUE(verdict.first_powers);
  }
}

TEST(Verdict, EvenMomentsThatPassAfterAShortRunAreThoseOfALongOne) {
  const std::vector<Ensemble> early = slots_after(512), late = slots_after(8192);
  int passed = 0;
  for (std::size_t slot = 0; slot < early.size(); ++slot) {
    if (!tempering_verdict(early[slot])->even) continue;
    ++passed;
    for (const char* name : {"m2", "U4", "xi_over_L"}) {
      const statistics::Estimate found = estimate(early[slot], name), known = estimate(late[slot], name);
      EXPECT_LE(std::abs(found.value - known.value), found.error) << name << ", slot " << slot;
    }
  }
  EXPECT_GE(passed, 2);
}

}  // namespace
}  // namespace psflip::analysis
