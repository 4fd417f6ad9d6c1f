#include "analysis/crossing/crossing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analysis/crossing/crossing_errors.hpp"
#include "analysis/dynamics/dynamics.hpp"
#include "analysis/models/reduce.hpp"
#include "analysis/statistics/fit.hpp"
#include "tests/unit/analysis/synthetic_files.hpp"
#include "tests/unit/expect_sentence.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace psflip::analysis {
namespace {

constexpr double Tc = 2.27, limit = 1.168;

/// R(T, L) = R* + 0.3 x + 0.05 x^2 + B L^-1.75 with x = (T - Tc) L: for nu = 1 the crossings shift by L^-2.75.
double scaling_function(double T, int L, double correction) {
  const double x = (T - Tc) * L;
  return limit + 0.3 * x + 0.05 * x * x + correction * std::pow(L, -1.75);
}

std::vector<Curve> synthetic_curves(const std::vector<int>& sizes, const std::vector<double>& temperatures,
                                    double noise, double correction, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, noise * 6);  // 36 blocks
  std::vector<Curve> curves;
  for (const int L : sizes) {
    Curve curve{L, {}};
    for (const double T : temperatures) {
      statistics::Blocks blocks{Eigen::MatrixXd(36, 1), Eigen::VectorXd::Ones(36)};
      for (Eigen::Index j = 0; j < 36; ++j) blocks.sums(j, 0) = scaling_function(T, L, correction) + normal(random);
      curve.points.push_back({T, blocks, [](const Eigen::VectorXd& means) { return means; }});
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

TEST(Crossing, LiesBelowTheFirstOfSplitsThatSeparateSignsEquallyWell) {
  EXPECT_EQ(split(Eigen::Vector4d(-1, 1, -1, 1)), 1);
  EXPECT_EQ(split(Eigen::Vector3d(-1, 0, 1)), 1);
}

TEST(Crossing, IsFoundExactlyWithoutNoise) {
  const auto found = crossings(synthetic_curves({8, 16}, {2.25, 2.265, 2.28}, 1e-9, 0, 1));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].temperature.value, Tc, 1e-7);
  EXPECT_NEAR(found[0].value.value, limit, 1e-7);
  EXPECT_EQ(found[0].L1, 8);
  EXPECT_EQ(found[0].L2, 16);
  EXPECT_EQ(found[0].T_min, 2.25);
  EXPECT_EQ(found[0].T_max, 2.28);
  EXPECT_TRUE(std::isnan(found[0].chi2_dof)) << "three points leave no degree of freedom to a parabola";
}

TEST(Crossing, HasErrorsThatCoverTheTruth) {
  const std::vector<double> temperatures = {2.24, 2.25, 2.26, 2.27, 2.28, 2.29, 2.30};
  int covered = 0, covered_value = 0, covered_limit = 0;
  for (std::uint64_t study = 0; study < 300; ++study) {
    const auto found = crossings(synthetic_curves({16, 32, 64}, temperatures, 0.004, 0, 1000 + study));
    covered += std::abs(found[1].temperature.value - Tc) < found[1].temperature.error;
    covered_value += std::abs(found[1].value.value - limit) < found[1].value.error;
    covered_limit += std::abs(found[2].temperature.value - Tc) < found[2].temperature.error;
  }
  const double bound = 4 * std::sqrt(300 * 0.6827 * 0.3173);
  EXPECT_NEAR(covered, 300 * 0.6827, bound);
  EXPECT_NEAR(covered_value, 300 * 0.6827, bound);
  EXPECT_NEAR(covered_limit, 300 * 0.6827, bound);
}

/// Curves whose points share the deviation of each block, as temperatures do whose samples have the same disorder.
std::vector<Curve> curves_of_common_samples(double noise, std::uint64_t seed) {
  auto curves = synthetic_curves({16, 32}, {2.24, 2.25, 2.26, 2.27, 2.28, 2.29, 2.30}, noise, 0, seed);
  std::mt19937_64 random(seed + 1);
  std::normal_distribution<double> normal(0, 5 * noise * 6);
  for (Curve& curve : curves) {
    curve.shares_samples = true;
    for (Eigen::Index j = 0; j < 36; ++j) {
      const double shift = normal(random);
      for (CurvePoint& point : curve.points) point.blocks.sums(j, 0) += shift;
    }
  }
  return curves;
}

TEST(Crossing, HasErrorsThatCoverTheTruthAlsoWhereTemperaturesShareTheirSamples) {
  int covered = 0, covered_as_independent = 0;
  for (std::uint64_t study = 0; study < 200; ++study) {
    auto curves = curves_of_common_samples(0.001, 2000 + study);
    const Crossing joint = crossings(curves)[0];
    covered += std::abs(joint.temperature.value - Tc) < joint.temperature.error;
    for (Curve& curve : curves) curve.shares_samples = false;
    const Crossing independent = crossings(curves)[0];
    covered_as_independent += std::abs(independent.temperature.value - Tc) < independent.temperature.error;
  }
  EXPECT_NEAR(covered, 200 * 0.6827, 4 * std::sqrt(200 * 0.6827 * 0.3173));
  EXPECT_LT(covered_as_independent, 200 * 0.55) << "errors of the sum of variances are too small";
}

TEST(Crossing, IsExtrapolatedAgainstTheCorrectionToScaling) {
  const auto found = crossings(synthetic_curves({8, 16, 32, 64}, {2.26, 2.265, 2.27, 2.275, 2.28}, 1e-6, 0.5, 3));
  ASSERT_EQ(found.size(), 4u);
  EXPECT_GT(std::abs(found[0].temperature.value - Tc), 1e-3);
  EXPECT_TRUE(std::isinf(found[3].L2));
  EXPECT_NEAR(found[3].temperature.value, Tc, 4 * found[3].temperature.error + 2e-5);
  EXPECT_LT(found[3].temperature.error, 1e-5);
  EXPECT_NEAR(found[3].value.value, limit, 1e-3);
}

TEST(Crossing, HasALimitWithASystematicErrorAndTheFewestBlocks) {
  auto curves = synthetic_curves({8, 16, 32}, {2.26, 2.265, 2.27, 2.275, 2.28}, 1e-6, 0.5, 3);
  const auto found = crossings(curves);
  const auto x = [](double L, double omega) { return std::pow(L, -omega - 1); };  // nu = 1: f is common to both pairs
  const auto limit_of = [&](double omega) {
    const double x1 = x(8, omega), x2 = x(16, omega);
    return (found[0].temperature.value * x2 - found[1].temperature.value * x1) / (x2 - x1);
  };
  EXPECT_NEAR(found[2].temperature_systematic, 0.5 * std::abs(limit_of(2) - limit_of(1.75)), 1e-9);
  EXPECT_GT(found[2].temperature_systematic, 0);
  EXPECT_EQ(found[2].blocks, 36);
  CrossingOptions certain;
  certain.alternatives.clear();
  EXPECT_EQ(crossings(curves, certain)[2].temperature_systematic, 0);
}

TEST(Crossing, HasALimitWhoseSystematicErrorIncludesASecondCorrection) {
  auto curves = synthetic_curves({8, 16, 32, 64, 128}, {2.26, 2.265, 2.27, 2.275, 2.28}, 1e-6, 0.5, 3);
  CrossingOptions options;
  options.alternatives.clear();
  EXPECT_EQ(crossings(curves, options)[4].temperature_systematic, 0);
  options.second_correction = true;
  const auto found = crossings(curves, options);
  Eigen::MatrixXd design(4, 3);
  Eigen::VectorXd y(4), errors(4);
  for (int i = 0; i < 4; ++i) {
    const auto& pair = found[static_cast<std::size_t>(i)];
    design.row(i) << 1, crossing_shift(pair.L1, pair.L2, {1, 1.75}), crossing_shift(pair.L1, pair.L2, {1, 3.5});
    y[i] = pair.temperature.value;
    errors[i] = pair.temperature.error;
  }
  const Eigen::MatrixXd covariance = errors.cwiseAbs2().asDiagonal();
  const double one = statistics::fit_linear(design.leftCols(2), y, covariance).parameters[0],
               two = statistics::fit_linear(design, y, covariance).parameters[0];
  EXPECT_NEAR(found[4].temperature_systematic, std::abs(one - two), 1e-12);
  EXPECT_GT(found[4].temperature_systematic, 0);
  EXPECT_GT(found[4].value_systematic, 0);
  curves.resize(4);  // three pairs leave no degree of freedom
  EXPECT_EQ(crossings(curves, options)[3].temperature_systematic, 0);
}

TEST(Crossing, IsThatOfAllPairsWithARatioAndItsLimitLeavesOutWhatIsNotEquilibrated) {
  CrossingOptions options;
  options.ratio = 2;
  auto curves = synthetic_curves({8, 12, 16, 24, 32}, {2.24, 2.255, 2.27, 2.285, 2.3}, 1e-7, 0.5, 3);
  for (Curve& curve : curves)
    for (CurvePoint& point : curve.points) point.equilibrated = curve.L < 32;
  for (CurvePoint& point : curves.back().points) point.blocks.sums.array() += 0.02;
  const auto found = crossings(curves, options);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[1].L1, 12);
  EXPECT_EQ(found[1].L2, 24);
  EXPECT_EQ(found[2].equilibrated, false);
  EXPECT_EQ(found[3].equilibrated, true);
  EXPECT_NEAR(found[3].temperature.value, Tc, 2e-4);
  EXPECT_GT(std::abs(found[2].temperature.value - Tc), 1e-3) << "the pair that is left out is off";
}

TEST(Crossing, LeavesOutTemperaturesWhereTheCurveIsNoParabola) {
  std::vector<double> temperatures;
  for (int i = -10; i <= 10; ++i) temperatures.push_back(Tc + 0.003 + 0.01 * i);
  auto curves = synthetic_curves({16, 32}, temperatures, 0.002, 0, 4);
  for (Curve& curve : curves)
    for (CurvePoint& point : curve.points)  // saturates far away, as Binder's ratio does
      point.observable = [](const Eigen::VectorXd& means) {
        return Eigen::VectorXd((means.array() - limit).tanh() + limit);
      };
  const auto found = crossings(curves);
  EXPECT_GT(found[0].T_min, temperatures.front());
  EXPECT_LT(found[0].T_max, temperatures.back());
  EXPECT_NEAR(found[0].temperature.value, Tc, 4 * found[0].temperature.error);
}

TEST(Crossing, IsRefusedWhereNoTwoCurvesCanBeCompared) {
  const auto expect = [](const std::vector<Curve>& curves, const std::string& part) {
    const std::string message = test::refusal([&] { crossings(curves); });
    test::expect_sentence(message, part);
  };
  expect(synthetic_curves({16}, {2.26, 2.27, 2.28}, 1e-3, 0, 5), "needs two sizes");
  expect(synthetic_curves({16, 32}, {2.26, 2.28}, 1e-3, 0, 5), "share 2 temperatures");
}

TEST(Crossing, OfCurvesThatDoNotCrossIsAResultWithoutATemperature) {
  const auto found = crossings(synthetic_curves({16, 32, 64}, {2.28, 2.29, 2.30}, 1e-4, 0, 5));
  ASSERT_EQ(found.size(), 2u) << "both pairs, and no limit";
  EXPECT_EQ(found[1].L1, 32);
  EXPECT_EQ(found[1].L2, 64);
  for (const Crossing& none : found) {
    EXPECT_TRUE(std::isnan(none.temperature.value) && std::isnan(none.value.value));
    EXPECT_EQ(none.T_min, 2.28);
    EXPECT_EQ(none.T_max, 2.30);
    test::expect_sentence(none.why_none, "do not cross between T = 2.28 and 2.3");
  }
}

test::SyntheticJob relaxation_job(std::int64_t samples) {
  test::SyntheticJob job;
  job.L = 16;
  job.samples = samples;
  job.moments = {1, 2, 4, 8, 16, 32, 64, 128};
  return job;
}

/// chi(t) such that xi(t) = 0.8 t^(1/7) exactly.
double spread_at(const test::SyntheticJob& job, std::size_t m) {
  const double xi = 0.8 * std::pow(static_cast<double>(job.moments[m]), 1 / 7.0);
  return std::sqrt(1 + std::pow(2 * std::sin(std::acos(-1.0) / static_cast<double>(job.L)) * xi, 2));
}

TEST(Dynamics, FindsTheExponentOfACorrelationLengthThatGrowsAsAPower) {
  const auto job = relaxation_job(16384);
  const auto file =
      test::synthetic_ea3d(job, test::gaussian_overlaps(job, [&](std::size_t m) { return spread_at(job, m); }));
  const auto laws = fit_dynamics(reduce(file, {})[0], {2, 128, -0.39});
  ASSERT_EQ(laws.size(), 2u);
  EXPECT_EQ(laws[0].quantity, "xi");
  EXPECT_EQ(laws[0].points, 7);
  EXPECT_EQ(laws[0].t_min, 2);
  EXPECT_EQ(laws[0].t_max, 128);
  EXPECT_NEAR(laws[0].exponent.value, 1 / 7.0, 4 * laws[0].exponent.error);
  EXPECT_LT(laws[0].exponent.error, 0.02);
  EXPECT_NEAR(laws[0].z.value, 1 / laws[0].exponent.value, 0.1);
  EXPECT_NEAR(laws[0].z.error, laws[0].exponent.error * 49, 0.3 * laws[0].z.error);
  EXPECT_LT(laws[0].chi2_dof, 4);
  EXPECT_NEAR(laws[0].chi2_dof_covariance, laws[0].chi2_dof, 1) << "times are independent here";
  EXPECT_EQ(laws[1].quantity, "chi");
}

TEST(Dynamics, LeavesTheCorrelatedChiSquaredUnknownWithFewBlocks) {
  const auto job = relaxation_job(640);
  const auto file =
      test::synthetic_ea3d(job, test::gaussian_overlaps(job, [](std::size_t m) { return 3.0 + 0.1 * m; }));
  EXPECT_TRUE(std::isnan(fit_dynamics(reduce(file, {})[0], {1, 128, -0.39})[0].chi2_dof_covariance));
}

TEST(Dynamics, IsRefusedWithFewerThanThreeTimes) {
  const auto job = relaxation_job(640);
  const auto file = test::synthetic_ea3d(job, test::gaussian_overlaps(job, [](std::size_t) { return 3.0; }));
  const std::string message = test::refusal([&] { fit_dynamics(reduce(file, {})[0], {20, 70, -0.39}); });
  test::expect_sentence(message, "Only 2 times from 20 to 70 have a xi with an error");
}

}  // namespace
}  // namespace psflip::analysis
