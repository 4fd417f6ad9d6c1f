#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "simulation.hpp"
#include "tests/exact/references/first_sweep.hpp"

namespace psflip {
namespace {

std::string name_of(Random random) { return random == Random::shared ? "shared" : "independent"; }

}  // namespace

/// GoogleTest prints a parameter so.
void PrintTo(Random random, std::ostream* stream) { *stream << name_of(random); }

}  // namespace psflip

// 3D Edwards-Anderson model, averaged over the disorder. Samples of one pack may share random numbers: the pack is the
// block.
namespace psflip::exact {
namespace {

constexpr std::size_t pack = 32;

class SpinGlass : public testing::TestWithParam<Random> {};

double satisfaction_after_update(double p, double beta) { return updated_site(3, p, 1, 0, beta).satisfaction; }

TEST(SpinGlassFormula, the_first_sweep_has_the_tabulated_energies) {
  const std::array<std::array<double, 3>, 3> table = {
      {{0.2, -0.6426610457, -0.5976561793}, {0.5, -0.8669608384, -1.0589771581}, {0.9, -0.9244101230, -1.1775462186}}};
  for (const auto& [beta, half, whole] : table) {
    const double first = satisfaction_after_update(0.5, beta);
    EXPECT_NEAR(-3 * first, half, 1e-10);
    EXPECT_NEAR(-3 * satisfaction_after_update((1 + first) / 2, beta), whole, 1e-10);
  }
}

TEST_P(SpinGlass, the_energy_after_half_a_sweep_and_after_one_is_the_closed_form) {
  for (const double beta : {0.2, 0.5, 0.9}) {
    const System system = spin_glass(8, beta, 16384, 2, GetParam());
    const auto engine = engine_for(system);
    double p = 0.5;
    for (const char* time : {"half a sweep", "one sweep"}) {
      engine->advance(1);
      const double satisfaction = satisfaction_after_update(p, beta);
      const Blocks rows = merged(instant_averages(system, engine->observe()), pack);
      const Estimate bond_sum = mean_of(rows, bonds);
      EXPECT_LT(std::abs(pull(bond_sum, 3 * 512 * satisfaction)), sigma_bound) << time << ", beta = " << beta;
      p = (1 + satisfaction) / 2;
    }
  }
}

/// Gauge invariance: at every time the magnetization is that of independent random spins.
TEST_P(SpinGlass, the_magnetization_is_that_of_random_spins_at_all_logarithmic_times) {
  const System system = spin_glass(8, 1 / 1.1, 8192, 2, GetParam());
  const double N = 512;
  const auto engine = engine_for(system);
  std::uint64_t sweeps = 0;
  for (int k = 0; k <= 36; ++k) {
    const auto time = static_cast<std::uint64_t>(std::floor(std::exp2(k / 4.0)));
    if (time == sweeps) continue;
    engine->advance(2 * (time - sweeps));
    sweeps = time;
    const Blocks rows = merged(instant_averages(system, engine->observe()), pack);
    EXPECT_LT(std::abs(pull(mean_of(rows, m_2), N)), sigma_bound) << "N m^2 after " << time << " sweeps";
    EXPECT_LT(std::abs(pull(mean_of(rows, m_4), (3 - 2 / N) * N * N)), sigma_bound)
        << "m^4 after " << time << " sweeps";
  }
}

/// High-temperature series in w = tanh(beta) of the disorder average; what it leaves out is of order w^15, below 1e-5
/// here.
double series_energy(double beta) {
  const double w = std::tanh(beta);
  return -3 * w + (12 * std::pow(w, 7) + 132 * std::pow(w, 11) - 504 * std::pow(w, 13)) * (1 - w * w);
}

TEST_P(SpinGlass, the_energy_in_equilibrium_at_high_temperature_is_that_of_the_series) {
  ASSERT_NEAR(series_energy(0.25), -0.73414, 1e-5);
  const std::uint64_t samples =
      GetParam() == Random::shared ? 32768 : 8192;  // sharing costs a factor of 7 in the variance
  const System system = spin_glass(8, 0.25, samples, 2, GetParam());
  const Blocks rows = merged(thermal_averages(system, {100, 60, 4}), pack);
  const Estimate energy = jackknife(rows, [](const auto& mean) { return -mean[bonds] / 512; });
  EXPECT_LT(std::abs(pull(energy, series_energy(0.25))), sigma_bound) << energy.value << " +- " << energy.error;
  EXPECT_LT(energy.error, 1.5e-4);
}

/// Columns: q^2, q^4, Fourier component, each averaged over the pairs of a sample; totals, not divided by the number of
/// sites.
Blocks overlap_averages(const System& system, const Observation& seen) {
  const auto pairs = static_cast<std::size_t>(system.pairs());
  Blocks rows(system.samples, std::vector<double>(3, 0.0));
  for (std::size_t i = 0; i < seen[Integer::overlap].size(); ++i) {
    const double Q = double(seen[Integer::overlap][i]);
    rows[i / pairs][0] += Q * Q / double(pairs);
    rows[i / pairs][1] += Q * Q * Q * Q / double(pairs);
    rows[i / pairs][2] += double(seen[Integer::overlap_k2][i]) / 1024 / double(pairs);
  }
  return rows;
}

TEST_P(SpinGlass, random_initial_replicas_have_the_overlaps_of_random_spins) {
  const System system = spin_glass(8, 1 / 1.1, 16384, 4, GetParam());
  const Blocks rows = merged(overlap_averages(system, engine_for(system)->observe()), pack);
  const double N = 512;
  EXPECT_LT(std::abs(pull(mean_of(rows, 0), N)), sigma_bound) << "chi(0) = 1";
  EXPECT_LT(std::abs(pull(mean_of(rows, 2), 3 * N)), sigma_bound) << "chi(k) = 1, three axes";
  const Estimate u4 = jackknife(rows, [](const auto& mean) { return mean[1] / (mean[0] * mean[0]); });
  EXPECT_LT(std::abs(pull(u4, 3 - 2 / N)), sigma_bound) << "U4 = 3 - 2/N, found " << u4.value << " +- " << u4.error;
}

/// Given the couplings, replicas are independent, and J s s has the same mean for all couplings (gauge invariance).
TEST_P(SpinGlass, the_link_overlap_after_a_half_sweep_is_the_square_of_the_satisfaction) {
  for (const double beta : {0.4, 1 / 1.1}) {
    System system = spin_glass(8, beta, 16384, 2, GetParam());
    system.also.add(Integer::link_overlap);
    const auto engine = engine_for(system);
    engine->advance(1);
    const Observation seen = engine->observe();
    Blocks rows;
    for (const std::int64_t link : seen[Integer::link_overlap]) rows.push_back({double(link)});
    const double satisfaction = updated_site(3, 0.5, 1, 0, beta).satisfaction;
    EXPECT_LT(std::abs(pull(mean_of(merged(rows, pack), 0), 3 * 512 * satisfaction * satisfaction)), sigma_bound)
        << beta;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, SpinGlass, testing::Values(Random::shared, Random::independent),
                         [](const auto& mode) { return name_of(mode.param); });

}  // namespace
}  // namespace psflip::exact
