#include <gtest/gtest.h>

#include <cmath>

#include "cube4.hpp"
#include "simulation.hpp"

namespace psflip::exact {
namespace {

constexpr std::uint64_t bins = 100, measurements_per_bin = 200, interval = 5;

/// Couplings of one sample, [direction][site], out of those of all.
std::vector<std::int8_t> couplings_of(const std::vector<std::int8_t>& all, std::size_t sample) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(sample * 192);
  return {first, first + 192};
}

/// One row for each bin of time and each replica of one sample: means of B and B^2. The replicas of a sample are
/// independent, and a bin of 1000 sweeps is far longer than the relaxation of 4^3 sites at beta <= 0.5 (about ten
/// sweeps).
void add_rows(const System& system, const Observation& seen, std::size_t sample, std::uint64_t bin, Blocks& rows) {
  const auto replicas = static_cast<std::size_t>(system.replicas);
  rows.resize(bins * replicas, std::vector<double>(2, 0.0));
  for (std::size_t replica = 0; replica < replicas; ++replica) {
    const double B = double(seen.bond_sum[sample * replicas + replica]);
    rows[bin * replicas + replica][0] += B / measurements_per_bin;
    rows[bin * replicas + replica][1] += B * B / measurements_per_bin;
  }
}

void expect_exact(const Blocks& rows, const Thermal& exact, double beta, std::size_t sample) {
  const Estimate energy = jackknife(rows, [](const auto& mean) { return -mean[0] / 64; });
  const Estimate heat =
      jackknife(rows, [=](const auto& mean) { return beta * beta / 64 * (mean[1] - mean[0] * mean[0]); });
  EXPECT_LT(std::abs(pull(energy, exact.energy)), sigma_bound)
      << "sample " << sample << ", beta = " << beta << ": e = " << energy.value << " +- " << energy.error;
  EXPECT_LT(std::abs(pull(heat, exact.specific_heat)), sigma_bound)
      << "sample " << sample << ", beta = " << beta << ": C = " << heat.value << " +- " << heat.error;
  EXPECT_LT(energy.error, 2e-3);  // sharp enough to tell samples apart: their energies differ by 0.05
}

TEST(SpinGlassSample, thermal_averages_of_samples_of_known_couplings_are_exact_in_both_modes) {
  const std::vector<std::size_t> chosen = {5, 30};
  System system = spin_glass(4, 0.5, 32, 5, Random::shared);
  system.first_sample = 64;
  const auto couplings = engine_for(system)->couplings();
  const std::vector<Cube4> exact = {Cube4(couplings_of(couplings, chosen[0])),
                                    Cube4(couplings_of(couplings, chosen[1]))};
  for (const Random random : {Random::shared, Random::independent}) {
    for (const double beta : {0.3, 0.5}) {
      system.random = random;
      system.beta = beta;
      const auto engine = engine_for(system);
      ASSERT_EQ(engine->couplings(), couplings) << "the disorder depends on neither the temperature nor the mode";
      engine->advance(2 * 2000);
      std::vector<Blocks> rows(chosen.size());
      for (std::uint64_t i = 0; i < bins * measurements_per_bin; ++i) {
        engine->advance(2 * interval);
        const Observation seen = engine->observe();
        for (std::size_t k = 0; k < chosen.size(); ++k)
          add_rows(system, seen, chosen[k], i / measurements_per_bin, rows[k]);
      }
      for (std::size_t k = 0; k < chosen.size(); ++k) expect_exact(rows[k], exact[k].at(beta), beta, chosen[k]);
    }
  }
}

}  // namespace
}  // namespace psflip::exact
