#include "analysis/models/observables.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/models/reduce.hpp"
#include "analysis/models/table.hpp"
#include "tests/unit/analysis/synthetic_files.hpp"

namespace psflip::analysis {
namespace {

using test::SyntheticJob;

Row row_of(const std::vector<Row>& rows, const std::string& observable, std::optional<std::int64_t> time = {}) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return row.observable == observable && (!time || row.time == time);
  });
  EXPECT_NE(found, rows.end()) << observable;
  return *found;
}

void expect_within(const Row& row, double truth, double largest_error) {
  EXPECT_NEAR(row.estimate.value, truth, 4 * row.estimate.error) << row.observable;
  EXPECT_GT(row.estimate.error, 0) << row.observable;
  EXPECT_LT(row.estimate.error, largest_error) << row.observable;
}

Ensemble relaxation(SyntheticJob job, double spread) {
  return reduce(test::synthetic_ea3d(job, test::gaussian_overlaps(job, [=](std::size_t) { return spread; })), {})[0];
}

TEST(Observables, OfGaussianOverlapsHaveTheirKnownValues) {
  SyntheticJob job;
  job.samples = 4096;
  job.moments = {1, 2};
  const std::vector<Row> rows = table(relaxation(job, 3));
  const double xi = std::sqrt(9.0 - 1) / (2 * std::sin(std::numbers::pi / 8));
  for (const std::int64_t t : {1, 2}) {
    expect_within(row_of(rows, "e", t), -1.6, 0.002);
    expect_within(row_of(rows, "m2", t), 1, 0.02);
    expect_within(row_of(rows, "q2", t), 9.0 / 512, 3e-4);
    expect_within(row_of(rows, "chi", t), 9, 0.15);
    expect_within(row_of(rows, "chi_k", t), 1, 0.01);
    expect_within(row_of(rows, "xi", t), xi, 0.05);
    expect_within(row_of(rows, "xi_over_L", t), xi / 8, 0.01);
    expect_within(row_of(rows, "U4", t), 3, 0.05);
    expect_within(row_of(rows, "g", t), 0, 0.025);
    expect_within(row_of(rows, "U22", t), 0, 0.05);
    EXPECT_EQ(row_of(rows, "e", t).blocks, 128);
  }
}

TEST(Observables, GiveACorrelationLengthWithoutValueWhereItsRadicandIsNegative) {
  SyntheticJob job;
  job.samples = 1024;
  const std::vector<Row> rows = table(relaxation(job, 0.8));
  EXPECT_TRUE(std::isnan(row_of(rows, "xi").estimate.value));
  EXPECT_TRUE(std::isnan(row_of(rows, "xi").estimate.error));
  EXPECT_TRUE(std::isfinite(row_of(rows, "chi").estimate.error));
}

TEST(Observables, OfOverlapsNeedTwoReplicasAndU22NeedsFour) {
  SyntheticJob job;
  const auto has = [&](std::int64_t replicas, const std::string& name) {
    job.replicas = replicas;
    const std::vector<std::string> names = observables(relaxation(job, 2)).names;
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  EXPECT_TRUE(has(1, "e"));
  EXPECT_FALSE(has(1, "q2"));
  EXPECT_TRUE(has(2, "xi"));
  EXPECT_FALSE(has(3, "U22"));
  EXPECT_TRUE(has(4, "U22"));
}

TEST(Observables, AreOneEntryEachWithALabelAndTheAutocorrelationTimeOfAnother) {
  for (const Preset& preset : unnamed_presets)
    for (const Method method : {Method::relaxation, Method::equilibrium, Method::tempering}) {
      const std::string where = fmt::format("{} {} {} {}", name_of(method), preset.dimension, name_of(preset.couplings),
                                            name_of(preset.field));
      std::set<std::string> names;
      for (const Quantity& one : observables_of(method, preset)) {
        EXPECT_TRUE(names.insert(one.name).second) << where << " has two of " << one.name;
        EXPECT_FALSE(one.label.empty()) << where << " " << one.name;
        // m2 of random bonds is that of spins without order, q changes sign with a configuration.
        const bool is_free = preset.has_random_bonds() && (one.name == "m2" || one.name == "q");
        const bool governed = method != Method::relaxation && !is_free;
        EXPECT_EQ(one.tau.empty(), !governed) << where << " " << one.name;
      }
      for (const Quantity& one : observables_of(method, preset))
        EXPECT_TRUE(one.tau.empty() || names.contains(one.tau)) << where << " " << one.name << ": " << one.tau;
    }
}

TEST(Observables, OfAChoiceOfNamesAreTheSameNumbersAndUnknownNamesAreRefused) {
  const Ensemble ensemble = relaxation({}, 2);
  const Observables all = observables(ensemble), two = observables(ensemble, {"U4", "xi"});
  const Eigen::VectorXd mean = blocks_at(ensemble, 0).means();
  EXPECT_EQ(two.evaluate(mean),
            Eigen::Vector2d(all.evaluate(mean)[all.index("U4")], all.evaluate(mean)[all.index("xi")]));
  EXPECT_THROW(observables(ensemble, {"U5"}), std::out_of_range);
  EXPECT_THROW(two.index("chi"), std::out_of_range);
}

TEST(DesignEffect, IsOneForSamplesThatAreIndependent) {
  SyntheticJob job;
  job.samples = 4096 + 17;
  job.first_sample = 5;
  job.moments = {1};
  for (const char* random : {"shared", "independent"}) {
    job.random = random;
    const std::vector<Row> rows = table(relaxation(job, 2));
    for (const char* name : {"design_effect_e", "design_effect_q2", "design_effect_chi_k", "design_effect_m2"})
      expect_within(row_of(rows, name), 1, 0.2);
    EXPECT_EQ(row_of(rows, "design_effect_e").blocks, 129);
  }
}

TEST(DesignEffect, IsThirtyTwoForPacksOfEqualSamples) {
  SyntheticJob job;
  job.samples = 2048;
  job.moments = {1};
  const auto make = test::gaussian_overlaps(job, [](std::size_t) { return 2.0; });
  const auto equal = [&](std::size_t t, std::size_t m, std::int64_t sample) { return make(t, m, sample / 32); };
  const std::vector<Row> rows = table(reduce(test::synthetic_ea3d(job, equal), {})[0]);
  const double known = 32 * 2047.0 / 2016;  // the variance of single samples is taken as if they were independent
  EXPECT_NEAR(row_of(rows, "design_effect_e").estimate.value, known, 1e-6);
  EXPECT_NEAR(row_of(rows, "design_effect_q2").estimate.value, known, 1e-6);
  for (const char* name : {"design_effect_xi", "design_effect_U4", "design_effect_U22"}) {
    const Row row = row_of(rows, name);
    EXPECT_NEAR(row.estimate.value / (known * 64 / 63), 1, 0.15) << name << ", to first order in the deviations";
    EXPECT_NEAR(row.estimate.error, row.estimate.value * std::sqrt(2.0 / 63), 1e-9) << name;
  }
}

TEST(DesignEffect, OfDerivedNumbersIsOneForIndependentSamplesAndComesFromBlocksWherePacksAreLeftOut) {
  SyntheticJob job;
  job.samples = 4096;
  job.moments = {1};
  const auto file = test::synthetic_ea3d(job, test::gaussian_overlaps(job, [](std::size_t) { return 2.0; }));
  const std::vector<Row> with = table(reduce(file, {})[0]), without = table(reduce(file, 64, false)[0]);
  for (const char* name : {"design_effect_xi", "design_effect_U4", "design_effect_U22"})
    for (const auto& rows : {with, without})
      EXPECT_NEAR(row_of(rows, name).estimate.value, 1, 4 * row_of(rows, name).estimate.error) << name;
  for (const char* name : {"design_effect_e", "design_effect_m2", "design_effect_q2", "design_effect_chi_k"}) {
    EXPECT_NEAR(row_of(without, name).estimate.value, 1, 4 * row_of(without, name).estimate.error) << name;
    EXPECT_EQ(row_of(without, name).blocks, 64);
  }
  EXPECT_EQ(with.size(), without.size());
}

/// Equal packs of 32 samples: half of each pack lies w above the mean of the pack, half below, and the mean of pack p
/// lies d_p from a common level, all in units of one bond. With sum d = 0 after subtracting the mean, pack sums scatter
/// by 32^2 sum d^2 and s^2 = (sum d^2 / g + w^2) n / (n - 1), n = 32 g, so that the effect is 32 sum d^2 / ((g - 1)
/// s^2).
double closed_form(const std::vector<double>& shifts, double w) {
  const auto g = static_cast<double>(shifts.size()), n = 32 * g;
  double sum = 0, squares = 0;
  for (const double d : shifts) {
    sum += d;
    squares += d * d;
  }
  squares -= sum * sum / g;
  return 32 * squares / ((g - 1) * (squares / g + w * w) * n / (n - 1));
}

statistics::Estimate effect_of_equal_packs(const std::vector<double>& shifts, int w) {
  SyntheticJob job;
  job.samples = 32 * std::ssize(shifts);
  job.moments = {1};
  const auto make = [&](std::size_t, std::size_t, std::int64_t sample) {
    const int shift = static_cast<int>(shifts[static_cast<std::size_t>(sample / 32)]);
    const int bonds = 800 + shift + (sample % 2 == 0 ? w : -w);
    return test::Ea3dValues{std::vector<std::int32_t>(4, bonds), std::vector<std::int32_t>(4, 2),
                            std::vector<std::int32_t>(6, 4), std::vector<std::int64_t>(6, 1024)};
  };
  return row_of(table(reduce(test::synthetic_ea3d(job, make), {})[0]), "design_effect_e").estimate;
}

TEST(DesignEffect, IsTheClosedFormOfEqualPacks) {
  EXPECT_NEAR(effect_of_equal_packs({1, -1}, 16).value, 63.0 / 257, 1e-9) << "64 samples";
  EXPECT_TRUE(std::isnan(effect_of_equal_packs({1, -1}, 16).error)) << "one pack has no scatter";
  for (const std::vector<double>& shifts : {std::vector<double>{3, -1, 0}, {3, -1, 0, 7, -4}}) {
    const statistics::Estimate found = effect_of_equal_packs(shifts, 20);
    EXPECT_NEAR(found.value, closed_form(shifts, 20), 1e-9);
    std::vector<double> replicates;
    for (std::size_t j = 0; j < shifts.size(); ++j) {
      std::vector<double> others = shifts;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(j));
      replicates.push_back(closed_form(others, 20));
    }
    const auto g = static_cast<double>(shifts.size());
    double mean = 0, scatter = 0;
    for (const double one : replicates) mean += one / g;
    for (const double one : replicates) scatter += (one - mean) * (one - mean);
    EXPECT_NEAR(found.error, std::sqrt((g - 1) / g * scatter), 1e-9) << "each replicate with its own number of samples";
  }
}

TEST(DesignEffect, IsOneOnAverageAlsoOverStudiesOfFourPacks) {
  SyntheticJob job;
  job.samples = 128;
  job.moments = {1};
  constexpr int studies = 400;
  double sum = 0;
  for (int study = 0; study < studies; ++study) {
    job.first_sample = study * job.samples;
    sum += row_of(table(relaxation(job, 2)), "design_effect_e").estimate.value;
  }
  EXPECT_NEAR(sum / studies, 1, 4 * std::sqrt(2.0 / 3 / studies));
}

TEST(DesignEffect, IsUnknownForASinglePack) {
  SyntheticJob job;
  job.samples = 20;
  EXPECT_TRUE(std::isnan(row_of(table(relaxation(job, 2)), "design_effect_e").estimate.value));
}

SyntheticJob lattice_job(std::int64_t samples, std::int64_t measurements) {
  SyntheticJob job;
  job.model = "ising2d";
  job.L = 16;
  job.replicas = 1;
  job.random = "independent";
  job.samples = samples;
  job.measurements = measurements;
  job.temperatures = {2.5};
  job.moments.clear();
  for (std::int64_t b = 1; b <= 32; ++b) job.moments.push_back(b * measurements * job.measure_interval);
  return job;
}

Ensemble lattice(const SyntheticJob& job, double a, double drift = 0) {
  return reduce(test::synthetic_ising2d(job, test::autoregressive_lattice(job, a, drift)), {})[0];
}

void expect_known_lattice(const std::vector<Row>& rows, double scale) {
  // e = -1.4 + 0.1 x, m = 0.7 + 0.05 y: moments of Gaussians.
  const double m2 = 0.49 + 0.0025, m4 = std::pow(0.7, 4) + 6 * 0.49 * 0.0025 + 3 * 0.0025 * 0.0025;
  const double xi = std::sqrt(256 * m2 / 2 - 1) / (2 * std::sin(std::numbers::pi / 16));
  expect_within(row_of(rows, "e"), -1.4, 0.01 * scale);
  expect_within(row_of(rows, "C"), 256 * 0.01 / 6.25, 0.05 * scale);
  expect_within(row_of(rows, "m_abs"), 0.7, 0.01 * scale);
  expect_within(row_of(rows, "m2"), m2, 0.01 * scale);
  expect_within(row_of(rows, "m4"), m4, 0.01 * scale);
  expect_within(row_of(rows, "U4"), m4 / (m2 * m2), 0.01 * scale);
  expect_within(row_of(rows, "binder_U"), 1 - m4 / (3 * m2 * m2), 0.01 * scale);
  expect_within(row_of(rows, "chi"), 256 * m2, 2 * scale);
  expect_within(row_of(rows, "xi"), xi, 0.2 * scale);
  EXPECT_EQ(row_of(rows, "e").equilibrated, true);
  EXPECT_NEAR(row_of(rows, "chi_k").estimate.value, 2, 1e-12);
}

TEST(Observables, OfASyntheticLatticeHaveTheirKnownValues) {
  const std::vector<Row> rows = table(lattice(lattice_job(64, 200), 0.8));
  expect_known_lattice(rows, 1);
  EXPECT_EQ(row_of(rows, "e").blocks, 64);
}

TEST(Observables, OfOneLatticeTakeItsBinsAsBlocks) {
  const std::vector<Row> rows = table(lattice(lattice_job(1, 4000), 0.8));
  expect_known_lattice(rows, 2);
  EXPECT_EQ(row_of(rows, "e").blocks, 16);
}

TEST(Observables, OfALatticeTellItsAutocorrelationTimeInSweeps) {
  // AR(1) with a = 0.8: tau_int = 4.5 measurements of 5 sweeps; bins of 200 see 1 - tau / 200 of it.
  const std::vector<Row> rows = table(lattice(lattice_job(64, 200), 0.8));
  const double expected = 5 * 4.5 * (1 - 4.5 / 200);
  expect_within(row_of(rows, "tau_int_e"), expected, 2);
  expect_within(row_of(rows, "tau_int_m_abs"), expected, 2);
  expect_within(row_of(rows, "tau_int_m2"), expected, 2);
  EXPECT_EQ(row_of(rows, "C").tau, row_of(rows, "tau_int_e").estimate.value);
  EXPECT_EQ(row_of(rows, "m_abs").tau, row_of(rows, "tau_int_m_abs").estimate.value);
  EXPECT_EQ(row_of(rows, "U4").tau, row_of(rows, "tau_int_m2").estimate.value);
}

TEST(Observables, OfALatticeThatStillRelaxesAreMarked) {
  EXPECT_EQ(row_of(table(lattice(lattice_job(64, 50), 0.5, 600)), "e").equilibrated, false);
  EXPECT_EQ(row_of(table(lattice(lattice_job(1, 500), 0.5, 4000)), "e").equilibrated, false);
  EXPECT_EQ(row_of(table(lattice(lattice_job(64, 50), 0.5, 20)), "e").equilibrated, true);
}

TEST(Observables, OfALatticeIgnoreTheFirstHalfOfItsBins) {
  const std::vector<Row> still = table(lattice(lattice_job(64, 50), 0.5));
  const std::vector<Row> relaxed = table(lattice(lattice_job(64, 50), 0.5, 20));
  EXPECT_NEAR(row_of(still, "e").estimate.value, row_of(relaxed, "e").estimate.value, 1e-9);
}

}  // namespace
}  // namespace psflip::analysis
