#include "analysis/critical/critical.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/io/error.hpp"
#include "tests/unit/analysis/critical_data.hpp"

namespace psflip::analysis {
namespace {

using test::betas;
using test::only;
using test::scaling_data;
using test::SyntheticRelaxation;

TEST(FixedRxi, HasTheQuantitiesOfARunWhenXiOverLPassesAValue) {
  const SyntheticRelaxation law;
  const FixedRxiValues run = values_at_fixed_R_xi(test::synthetic_ensemble(law, 16, 0.93), {0.2, 0.35});
  ASSERT_EQ(run.R_xi, (std::vector<double>{0.2, 0.35}));
  for (const Eigen::Index i : {0, 1}) {
    const double R = run.R_xi[static_cast<std::size_t>(i)];
    EXPECT_NEAR(run.values(i, 0), law.log_time(16, 0.93, R), 5e-5);
    EXPECT_NEAR(run.values(i, 1), law.log_chi(16, 0.93, R), 5e-5);
    EXPECT_NEAR(run.values(i, 2), law.U4(16, 0.93, R), 5e-5);
    EXPECT_NEAR(run.values(i, 3), law.U22(16, 0.93, R), 5e-5);
  }
}

TEST(FixedRxi, LeavesOutValuesThatTheRunDoesNotReachOrReachesAtItsEnds) {
  const FixedRxiValues run =
      values_at_fixed_R_xi(test::synthetic_ensemble({}, 8, 0.9), {0.01, 0.031, 0.3, 0.598, 0.64});
  EXPECT_EQ(run.R_xi, std::vector<double>{0.3});
  EXPECT_EQ(run.values.rows(), 1);
  EXPECT_EQ(run.deviations.cols(), 4);
}

TEST(FixedRxi, HasErrorsThatCoverTheTruthThoughTimesAreCorrelated) {
  SyntheticRelaxation law;
  law.noise = 0.02;
  Eigen::Vector4i covered = Eigen::Vector4i::Zero();
  const Eigen::Vector4d truth(law.log_time(12, 0.9, 0.3), law.log_chi(12, 0.9, 0.3), law.U4(12, 0.9, 0.3),
                              law.U22(12, 0.9, 0.3));
  for (law.seed = 1; law.seed <= 400; ++law.seed) {
    const FixedRxiValues run = values_at_fixed_R_xi(test::synthetic_ensemble(law, 12, 0.9), {0.3});
    for (Eigen::Index q = 0; q < 4; ++q)
      covered[q] += std::abs(run.values(0, q) - truth[q]) < run.deviations.col(q).norm();
  }
  for (Eigen::Index q = 0; q < 4; ++q)
    EXPECT_NEAR(covered[q], 400 * 0.6827, 4 * std::sqrt(400 * 0.6827 * 0.3173)) << fixed_R_xi_quantities()[q];
}

TEST(ScalingData, KnowsThatTemperaturesShareTheirCouplingsAndSizesNothing) {
  SyntheticRelaxation law;
  law.noise = 0.02;
  law.blocks = 2000;
  const DataSet data_set = scaling_data(law, {8, 12}, {0.3}).data_set("log_chi", 0.3);
  const Eigen::MatrixXd covariance = data_set.covariance();
  ASSERT_EQ(data_set.y.size(), 10);
  double correlation = 0;
  for (Eigen::Index i = 0; i < 5; ++i)
    for (Eigen::Index j = 0; j < 5; ++j) {
      EXPECT_EQ(covariance(i, 5 + j), 0);
      if (i != j) correlation += covariance(i, j) / std::sqrt(covariance(i, i) * covariance(j, j)) / 20;
    }
  EXPECT_NEAR(correlation, law.common, 0.15);
  EXPECT_EQ(data_set.L[4], 8);
  EXPECT_EQ(data_set.L[5], 12);
  EXPECT_EQ(data_set.beta[7], 0.9);
}

TEST(ScalingData, JoinsManyBlocksToFewRowsOfTheSameCovariance) {
  SyntheticRelaxation law;
  law.noise = 0.02;
  law.blocks = 4000;
  const FixedRxiValues run = values_at_fixed_R_xi(test::synthetic_ensemble(law, 8, 0.9), {0.3});
  const DataSet data_set = ScalingData({run}).data_set("U4", 0.3);
  EXPECT_EQ(data_set.deviations.rows(), 256);
  EXPECT_NEAR(data_set.covariance()(0, 0) / run.deviations.col(2).squaredNorm(), 1, 4 * std::sqrt(2.0 / 256));
}

TEST(ScalingData, RefusesARunGivenTwice) {
  const FixedRxiValues run = values_at_fixed_R_xi(test::synthetic_ensemble({}, 8, 0.9), {0.3});
  EXPECT_THROW(ScalingData({run, run}), UserError);
}

TEST(Critical, FindsWhatMadeDataWithCorrectionsToScaling) {
  SyntheticRelaxation law;
  law.b = 0.6;
  law.noise = 1e-6;
  const ScalingData data = scaling_data(law, {8, 12, 16, 24}, {0.3});
  for (const std::string cumulants : {"U4", "U4+U22"}) {
    const auto rows = joint_fit(data, cumulants, 0.3, 8, law.omega, {{0.3}});
    EXPECT_NEAR(only(rows, "beta_c", "joint").estimate.value, law.beta_c, 1e-5);
    EXPECT_NEAR(only(rows, "nu", "joint").estimate.value, law.nu, 1e-3);
    EXPECT_NEAR(only(rows, "U4", "joint").estimate.value, 3 - 4 * 0.09, 1e-4);
    EXPECT_NEAR(only(rows, "z", "power").estimate.value, law.z, 1e-3);
    EXPECT_NEAR(only(rows, "eta", "power").estimate.value, law.eta, 1e-3);
    EXPECT_EQ(only(rows, "z", "power").L_max, 24);
    EXPECT_EQ(only(rows, "beta_c", "joint").dof, cumulants == "U4" ? 20 - 6 : 40 - 10);
  }
}

TEST(Critical, HasErrorsThatCoverTheTruth) {
  SyntheticRelaxation law;
  law.b = 0.3;
  law.noise = 0.002;
  const std::vector<std::pair<std::string, std::string>> wanted = {
      {"beta_c", "joint"}, {"nu", "joint"}, {"U4", "joint"}, {"z", "power"}, {"eta", "power"}};
  const std::vector<double> truths = {law.beta_c, law.nu, 3 - 4 * 0.09, law.z, law.eta};
  std::vector<int> covered(wanted.size(), 0);
  double chi2 = 0;
  constexpr int studies = 100;
  for (law.seed = 1; law.seed <= studies; ++law.seed) {
    const auto rows = joint_fit(scaling_data(law, {8, 12, 16, 24}, {0.3}), "U4", 0.3, 8, law.omega, {{0.3}});
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto estimate = only(rows, wanted[i].first, wanted[i].second).estimate;
      covered[i] += std::abs(estimate.value - truths[i]) < estimate.error;
    }
    chi2 += only(rows, "beta_c", "joint").chi2_dof() / studies;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(covered[i], studies * 0.6827, 4 * std::sqrt(studies * 0.6827 * 0.3173)) << wanted[i].first;
  // The inverse of a covariance from 64 blocks in 5 dimensions is too large by 63 / (63 - 5 - 1) on average.
  EXPECT_NEAR(chi2, 63.0 / 57, 0.1);
}

TEST(Critical, DriftsTowardsTheTruthWithTheSmallestSizeWhereCorrectionsAreLeftOut) {
  SyntheticRelaxation law;
  law.b = 0.1;
  law.noise = 1e-5;
  const ScalingData data = scaling_data(law, {8, 12, 16, 24}, {0.3});
  double before = 1;
  for (const int L_min : {8, 12, 16}) {
    const CriticalRow row = only(joint_fit(data, "U4", 0.3, L_min, statistics::unknown, {{0.3}}), "beta_c", "joint");
    const double off = std::abs(row.estimate.value - law.beta_c);
    EXPECT_GT(off, 10 * row.estimate.error);
    EXPECT_LT(off, before);
    before = off;
    EXPECT_GT(row.chi2_dof(), L_min < 16 ? 10 : 0);
  }
}

TEST(Critical, FindsCrossingsAndTheLimitOfTheirDrift) {
  SyntheticRelaxation law;
  law.noise = 1e-6;
  CriticalOptions options{{0.3}};
  options.omegas = {law.omega};
  options.nu = law.nu;
  for (const auto& row : cumulant_crossings(scaling_data(law, {8, 12, 24}, {0.3}), "U4", 0.3, options))
    EXPECT_NEAR(row.estimate.value, row.quantity == "beta_c" ? law.beta_c : 3 - 4 * 0.09, 5e-5);
  law.b = 0.3;
  const auto rows = cumulant_crossings(scaling_data(law, {8, 12, 16, 24}, {0.3}), "U4", 0.3, options);
  ASSERT_EQ(rows.size(), 7u) << "8 and 12, 12 and 24, 16 and 24, each beta_c and U4, and the limit";
  EXPECT_EQ(rows[2].L_min, 12);
  EXPECT_EQ(rows[2].L_max, 24);
  const double f = (1 - std::pow(2, -law.omega)) / (std::pow(2, 1 / law.nu) - 1);
  const double shift = law.b / (0.9 * 0.3) * f * std::pow(12, -law.omega - 1 / law.nu);
  EXPECT_NEAR(rows[2].estimate.value, law.beta_c + shift, 1e-4);
  EXPECT_GT(std::abs(rows[0].estimate.value - law.beta_c), 0.01);
  EXPECT_TRUE(std::isinf(rows[6].L_max));
  EXPECT_NEAR(rows[6].estimate.value, law.beta_c, 1e-4);
}

TEST(Critical, ReadsOneExponentFromEachPairOfSizes) {
  SyntheticRelaxation law;
  law.noise = 1e-6;
  int pairs = 0;
  for (const auto& row : joint_fit(scaling_data(law, {8, 12, 16}, {0.3}), "U4", 0.3, 8, statistics::unknown, {{0.3}}))
    if (row.method == "quotient") {
      EXPECT_NEAR(row.estimate.value, row.quantity == "z" ? law.z : law.eta, 1e-4);
      ++pairs;
    }
  EXPECT_EQ(pairs, 4);
}

TEST(Critical, FindsExponentsAtAGivenBeta) {
  SyntheticRelaxation law;
  law.noise = 1e-6;
  CriticalOptions options{{0.3}};
  options.beta = law.beta_c;
  for (const double omega : {statistics::unknown, law.omega}) {
    const auto rows = powers_at(scaling_data(law, {8, 12, 16, 24}, {0.3}), 0.3, 12, omega, options);
    EXPECT_NEAR(only(rows, "z", "power").estimate.value, law.z, 1e-3);
    EXPECT_NEAR(only(rows, "eta", "power").estimate.value, law.eta, 1e-3);
    EXPECT_EQ(only(rows, "z", "power").cumulants, "none");
    EXPECT_EQ(only(rows, "z", "power").L_min, 12);
    EXPECT_EQ(only(rows, "z", "power").dof, std::isnan(omega) ? 1 : 0);
  }
}

TEST(Critical, HasNoRowsForWhatThePointsDoNotDetermine) {
  SyntheticRelaxation law;
  law.noise = 1e-4;
  EXPECT_TRUE(critical_table(scaling_data(law, {8}, {0.3}), {{0.3}}).empty());
  for (const auto& row : critical_table(scaling_data(law, {8, 16}, {0.3}), {{0.3}}))
    EXPECT_TRUE(std::isnan(row.omega)) << "two sizes leave the correction open";
  law.beta_c = 1.5;
  for (const auto& row : critical_table(scaling_data(law, {8, 12, 16}, {0.3}), {{0.3}}))
    EXPECT_TRUE(row.method == "crossing" || row.cumulants == "none") << "beta_c lies outside of the temperatures";
}

/// Two points of one size with four rows of deviations.
DataSet two_points() {
  DataSet points{Eigen::Vector2d(8, 8), Eigen::Vector2d(0.9, 0.93), Eigen::Vector2d::Zero(), Eigen::MatrixXd(4, 2)};
  points.deviations << 1, 1, 1, 2, 1, 3, 1, 4;
  return points;
}

TEST(Critical, AddsEachRowOfDeviationsToThePointsOnce) {
  int calls = 0;
  const Variation variation = vary(JoinedDataSets({two_points()}), [&](const Eigen::VectorXd& y) {
    ++calls;
    return y;
  });
  EXPECT_EQ(calls, 5) << "the points and four rows";
  EXPECT_EQ(variation.changes, two_points().deviations);
}

/// Four rows know both points: correlations are multiplied by 1 - 2 / (2 x 4).
TEST(Critical, ShrinksCorrelationsOfPointsWithFewRows) {
  const Eigen::MatrixXd covariance = JoinedDataSets({two_points()}).covariance();
  EXPECT_TRUE(covariance.isApprox((Eigen::Matrix2d() << 4, 7.5, 7.5, 30).finished())) << covariance;
}

}  // namespace
}  // namespace psflip::analysis
