#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/crossing/crossing.hpp"
#include "analysis/dynamics/series.hpp"
#include "analysis/ensemble/merge.hpp"
#include "analysis/models/critical_exponents.hpp"
#include "analysis/models/equilibration.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/models/reduce.hpp"
#include "analysis/models/table.hpp"
#include "tests/unit/analysis/synthetic_methods.hpp"
#include "tests/unit/temporary_folder.hpp"

// Equilibrium at fixed temperatures of models with disorder: tests of equilibration, curves and series.
namespace psflip::analysis {
namespace {

using test::MethodFile;

std::vector<MethodFile> long_files() {
  std::vector<MethodFile> files = test::files_of_all_models(Method::equilibrium);
  std::erase_if(files, [](const MethodFile& file) { return !file.preset.has_disorder(); });
  for (MethodFile& file : files) {
    file.bins = 16;
    file.samples = 32;
  }
  return files;
}

/// Multiplies a dataset in bins 2 to 7 of 16, the windows before the last one.
io::LabelledFile with_drift(io::LabelledFile file, const std::string& name, double factor) {
  for (io::Dataset& dataset : file.datasets) {
    if (dataset.name != name) continue;
    auto& values = std::get<std::vector<double>>(dataset.values);
    const std::size_t bins = 2 * 16, bin = values.size() / bins;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (const std::size_t b = i / bin % 16; 2 <= b && b < 8) values[i] *= factor;
  }
  return file;
}

TEST(DisorderEquilibrium, VerdictFindsADriftOfTheEnergyOrTheOrderParameter) {
  for (const MethodFile& job : long_files()) {
    const auto verdict = [](const io::LabelledFile& one) { return equilibrium_verdict(reduce(one, {})[0]).value(); };
    const io::LabelledFile file = job.make();
    EXPECT_TRUE(verdict(file).even && verdict(file).first_powers);
    EXPECT_FALSE(verdict(with_drift(file, "bond_sum", 0.8)).even);
    const bool bonds = job.preset.has_random_bonds();
    EXPECT_FALSE(verdict(with_drift(file, bonds ? "overlap_2" : "magnetization_2", 0.6)).even);
    EXPECT_EQ(verdict(with_drift(file, "magnetization_2", 0.6)).even, bonds) << "no order parameter of a spin glass";
  }
}

TEST(DisorderEquilibrium, VerdictOnOddPowersOfMNeedsAProductOfReplicasWithoutDrift) {
  for (const MethodFile& job : long_files()) {
    if (job.preset.has_random_bonds()) continue;
    const Ensemble slot = reduce(with_drift(job.make(), "magnetization", 0.5), {})[0];
    for (const Row& row : table(slot))
      EXPECT_EQ(row.equilibrated, !observable_of(slot, row.observable).odd_powers_of_m) << row.observable;
  }
}

TEST(DisorderEquilibrium, CurvesHaveTheSamplesOfAllTemperaturesInCommonAndAreRefusedIfTheyDiffer) {
  for (MethodFile job : long_files()) {
    const std::vector<Curve> curves = curves_of(reduce(job.make(), {}), "U4");
    ASSERT_EQ(curves.size(), 1u);
    EXPECT_TRUE(curves[0].shares_samples);
    EXPECT_EQ(curves[0].points.size(), 2u);
    MethodFile other = job;
    job.temperatures = {1.5};
    other.temperatures = {2};
    other.first_sample = 8;
    const auto both = merge({reduce(job.make(), {})[0], reduce(other.make(), {})[0]});
    EXPECT_NE(test::refusal([&] { curves_of(both, "U4"); }).find("stand on different samples"), std::string::npos);
  }
}

TEST(DisorderEquilibrium, SeriesAreOfTheEnergyAndTheOrderParameter) {
  for (MethodFile job : long_files()) {
    job.bins = 64;
    job.temperatures = {2};
    const std::vector<SeriesRow> rows = series_table(job.make());
    std::vector<std::string> names;
    for (const SeriesRow& row : rows)
      if (names.empty() || names.back() != row.observable) names.push_back(row.observable);
    const bool bonds = job.preset.has_random_bonds();
    EXPECT_EQ(names, (std::vector<std::string>{"e", bonds ? "q_abs" : "m_abs", bonds ? "q2" : "m2"}));
    for (const SeriesRow& row : rows) {
      if (row.method != "window") continue;
      // White noise has half a bin; the mean of 32 bins, subtracted from each series, takes a tenth of a bin from it.
      EXPECT_NEAR(row.tau_int.value, 0.4 * static_cast<double>(row.bin_sweeps),
                  0.25 * static_cast<double>(row.bin_sweeps));
    }
  }
}

TEST(CriticalExponents, AreKnownByTraitsWhereThereIsATransition) {
  const auto of = [](int dimension, ModelCouplings couplings, ModelField field, const io::Attributes& job = {}) {
    return critical_exponents(unnamed_preset(dimension, couplings, field), job);
  };
  using enum ModelCouplings;
  using enum ModelField;
  EXPECT_EQ(of(2, ferromagnet, none)->leading.nu, 1);
  EXPECT_EQ(of(3, ferromagnet, none)->leading.nu, 0.63002);
  EXPECT_EQ(of(2, ferromagnet, uniform)->leading.nu, 1) << "without a field";
  EXPECT_EQ(of(3, random_bonds, none)->eta, -0.39);
  EXPECT_EQ(of(3, ferromagnet, random_sign)->leading.omega, 0.52);
  EXPECT_EQ(of(3, ferromagnet, random_sign, {{"h", 1.0}})->leading.omega, 0.52);
  EXPECT_EQ(of(3, ferromagnet, random_sign, {{"h", 0.0}})->leading.nu, 0.63002) << "the pure model";
  EXPECT_FALSE(of(2, random_bonds, none)) << "the critical temperature is 0";
  EXPECT_FALSE(of(2, ferromagnet, random_sign));
  EXPECT_FALSE(of(3, ferromagnet, uniform, {{"h", 0.3}}));
  EXPECT_FALSE(of(3, random_bonds, none, {{"p", 0.2}}));
}

}  // namespace
}  // namespace psflip::analysis
