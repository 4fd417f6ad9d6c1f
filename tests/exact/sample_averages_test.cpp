#include <algorithm>
#include <cmath>
#include <functional>

#include "members.hpp"
#include "simulation.hpp"
#include "tempering.hpp"
#include "tests/exact/references/cube4.hpp"
#include "tests/exact/references/disorder.hpp"
#include "tests/exact/references/random_field_cube4.hpp"

// Energy and specific heat of single samples of 4 x 4 x 4 sites of every cubic preset, at one temperature and with
// exchanges.
namespace psflip::exact {
namespace {

constexpr std::uint64_t bins = 100, measurements_per_bin = 200, interval = 5;

using ExactAt = std::function<Thermal(double beta)>;

/// By enumeration: with a field by that at J = h = 1.
ExactAt enumerated(const Preset& preset, const Disorder& disorder) {
  if (preset.has_field())
    return [cube = RandomFieldCube4(disorder.couplings, disorder.fields)](double beta) { return cube.at(beta); };
  return [cube = Cube4(disorder.couplings)](double beta) { return cube.at(beta); };
}

/// One row for each bin of time and each replica of one sample: means of E and E^2. Without disorder all samples are
/// replicas of one. The replicas of a sample are independent, and a bin of 1000 sweeps is far longer than the
/// relaxation of 4^3 sites at these temperatures (about ten sweeps).
void add_rows(const System& system, const Observation& seen, std::size_t sample, std::uint64_t bin, Blocks& rows) {
  const std::size_t replicas =
      system.preset().has_disorder() ? static_cast<std::size_t>(system.replicas) : system.samples;
  rows.resize(bins * replicas, std::vector<double>(2, 0.0));
  for (std::size_t replica = 0; replica < replicas; ++replica) {
    const double E = energy_of(system, seen, sample * replicas + replica);
    rows[bin * replicas + replica][0] += E / measurements_per_bin;
    rows[bin * replicas + replica][1] += E * E / measurements_per_bin;
  }
}

void expect_exact(const Blocks& rows, const Thermal& exact, double beta, std::size_t sample) {
  const Estimate energy = jackknife(rows, [](const auto& mean) { return mean[0] / 64; });
  const Estimate heat =
      jackknife(rows, [=](const auto& mean) { return beta * beta / 64 * (mean[1] - mean[0] * mean[0]); });
  EXPECT_LT(std::abs(pull(energy, exact.energy)), sigma_bound)
      << "sample " << sample << ", beta = " << beta << ": e = " << energy.value << " +- " << energy.error;
  EXPECT_LT(std::abs(pull(heat, exact.specific_heat)), sigma_bound)
      << "sample " << sample << ", beta = " << beta << ": C = " << heat.value << " +- " << heat.error;
  EXPECT_LT(energy.error, 3e-3);  // sharp enough to tell samples apart: their energies differ by 0.05 and more
}

class SampleAverages : public testing::TestWithParam<Member> {
 protected:
  const Preset& preset() const { return GetParam().preset; }
  std::vector<Random> modes() const {
    if (preset().has_random_bonds() && !preset().has_field()) return {Random::shared, Random::independent};
    return {Random::independent};
  }
  /// Samples that are compared.
  std::vector<std::size_t> chosen() const {
    return preset().has_disorder() ? std::vector<std::size_t>{5, 30} : std::vector<std::size_t>{0};
  }
  std::vector<ExactAt> exact_at(const std::vector<Disorder>& disorder) const {
    std::vector<ExactAt> all;
    for (const std::size_t sample : chosen()) {
      const bool is_new = all.empty() || preset().has_disorder();
      all.push_back(is_new ? enumerated(preset(), disorder[sample]) : all[0]);
    }
    return all;
  }
  /// Glasses are measured where they are slow, ferromagnets at both sides of their transition.
  std::vector<double> betas() const {
    return preset().has_random_bonds() ? std::vector{0.3, 0.5} : std::vector{0.2, 0.25};
  }
};

TEST_P(SampleAverages, of_four_cubed_sites_of_known_disorder_are_exact_in_all_random_modes) {
  System system = member_system(preset(), 4, 0.5, 32, preset().has_disorder() ? 5 : 1);
  system.first_sample = 64;
  const auto first_engine = engine_for(system);
  const std::vector<ExactAt> exact = exact_at(disorder_of(system, *first_engine));
  for (const Random random : modes()) {
    for (const double beta : betas()) {
      system.random = random;
      system.betas = {beta};
      const auto engine = engine_for(system);
      ASSERT_EQ(engine->couplings(), first_engine->couplings()) << "disorder depends on the temperature or the mode";
      ASSERT_EQ(engine->fields(), first_engine->fields()) << "disorder depends on the temperature or the mode";
      engine->advance(2 * 2000);
      std::vector<Blocks> rows(chosen().size());
      for (std::uint64_t i = 0; i < bins * measurements_per_bin; ++i) {
        engine->advance(2 * interval);
        const Observation seen = engine->observe();
        for (std::size_t k = 0; k < chosen().size(); ++k)
          add_rows(system, seen, chosen()[k], i / measurements_per_bin, rows[k]);
      }
      for (std::size_t k = 0; k < chosen().size(); ++k) expect_exact(rows[k], exact[k](beta), beta, chosen()[k]);
    }
  }
}

/// One row for each bin of rounds of one sample in one slot: means of E and E^2 over the sets of replicas. J = 1.
Blocks rows_of(const System& system, const std::vector<TemperingMeans>& means_of_bins, std::size_t slot,
               std::size_t sample) {
  Blocks rows;
  for (const TemperingMeans& means : means_of_bins) {
    const std::vector<double>& sums = means.slots[slot].rows[sample];
    if (system.has_field())
      rows.push_back({-sums[sum_B] - system.h * sums[sum_F],
                      sums[sum_B2] + 2 * system.h * sums[sum_BF] + system.h * system.h * sums[sum_F2]});
    else
      rows.push_back({-sums[sum_B], sums[sum_B2]});
  }
  return rows;
}

class TemperedSampleAverages : public SampleAverages {
 protected:
  /// Of the slots: neighbours exchange often.
  std::vector<double> betas() const {
    if (preset().has_random_bonds()) return {0.5, 0.4, 0.3};
    return preset().has_field() ? std::vector{0.30, 0.28, 0.265, 0.25} : std::vector{0.25, 0.225, 0.2};
  }
};

TEST_P(TemperedSampleAverages, of_four_cubed_sites_of_known_disorder_are_exact_in_every_slot) {
  System system = member_system(preset(), 4, 1, 32, 2);
  system.betas = betas();
  system.round = {2 * interval, 1};
  const std::vector<TemperingMeans> means = tempering_means_of_bins(system, 400, 300, bins);
  EXPECT_GT(*std::min_element(means[0].rates.begin(), means[0].rates.end()), 0.2);
  const std::vector<ExactAt> exact = exact_at(means[0].disorder);
  for (std::size_t slot = 0; slot < system.slots(); ++slot) {
    const double beta = system.betas[slot];
    for (std::size_t k = 0; k < chosen().size(); ++k)
      expect_exact(rows_of(system, means, slot, chosen()[k]), exact[k](beta), beta, chosen()[k]);
  }
}

std::vector<Member> cubic_presets(Method method) {
  return members_if([=](const Member& member) {
    return member.method == method && member.preset.dimension == 3 && !member.preset.name.empty();
  });
}

INSTANTIATE_TEST_SUITE_P(Exact, SampleAverages, testing::ValuesIn(cubic_presets(Method::equilibrium)),
                         name_of_parameter);
INSTANTIATE_TEST_SUITE_P(Exact, TemperedSampleAverages, testing::ValuesIn(cubic_presets(Method::tempering)),
                         name_of_parameter);

}  // namespace
}  // namespace psflip::exact
