#include "analysis/crossing/tempered_crossing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "analysis/models/reduce.hpp"
#include "tests/unit/analysis/synthetic_tempering.hpp"
#include "tests/unit/expect_sentence.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace psflip::analysis {
namespace {

using test::CurieWeiss;
using test::exact_U4;
using test::TemperingFile;

CurieWeiss weak_field(std::int64_t L) { return {L, 1, 0.001}; }

std::vector<Ensemble> ensembles_of(std::int64_t L, const std::vector<double>& temperatures) {
  TemperingFile job;
  job.model = weak_field(L);
  job.temperatures = temperatures;
  return reduce(job.make(), {});
}

TEST(TemperedCrossing, IsThatOfTheExactCurvesAlsoWhenGridsDiffer) {
  std::vector<Ensemble> all = ensembles_of(4, {0.8, 0.88, 0.96, 1.04, 1.12, 1.2});
  for (Ensemble& ensemble : ensembles_of(8, {0.84, 0.9, 0.95, 0.985, 1.02, 1.06, 1.15})) all.push_back(ensemble);
  const auto found = tempered_crossings(tempered_curves_of(all, "U4"));
  ASSERT_EQ(found.size(), 1u);
  double low = 0.8, high = 1.2;
  for (int step = 0; step < 40; ++step) {
    const double middle = 0.5 * (low + high);
    (exact_U4(weak_field(8), middle) < exact_U4(weak_field(4), middle) ? low : high) = middle;
  }
  // The rest is the error of the cubic between slots.
  EXPECT_NEAR(found[0].temperature.value, low, 3e-4);
  EXPECT_NEAR(found[0].value.value, exact_U4(weak_field(4), low), 1e-3);
  EXPECT_GT(found[0].temperature.error, 0) << "the fields of the samples differ";
  EXPECT_LE(found[0].T_min, low);
  EXPECT_GE(found[0].T_max, low);
  EXPECT_EQ(found[0].equilibrated, true);
}

/// Noisy curves R = R* + 0.4 (Tc - T) L^(1/nu) - 0.3 L^-omega, linear, so the cubic is exact.
std::vector<TemperedCurve> synthetic_curves(const std::vector<int>& sizes, double noise, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, noise * 8);  // 64 samples
  std::vector<TemperedCurve> curves;
  for (const int L : sizes) {
    const Eigen::VectorXd temperatures = Eigen::VectorXd::LinSpaced(6 + L % 3, 3.6, 4.6);
    const Eigen::Index slots = temperatures.size();
    TemperedCurve curve{L, temperatures, {Eigen::MatrixXd(64, 2 * slots), Eigen::VectorXd::Ones(64)}, {}, {}};
    const double scale = std::pow(L, 1 / 1.38);
    for (Eigen::Index s = 0; s < 64; ++s) {
      const double shift = normal(random);  // of the sample, common to its slots
      for (Eigen::Index k = 0; k < slots; ++k) {
        curve.blocks.sums(s, k) =
            1.2 + 0.4 * (3.85 - temperatures[k]) * scale - 0.3 * std::pow(L, -0.52) + shift + 0.3 * normal(random);
        curve.blocks.sums(s, slots + k) = -0.4 * scale + 0.3 * normal(random);
      }
    }
    curve.function = [](const Eigen::VectorXd& means) { return means; };
    curve.equilibrated.assign(static_cast<std::size_t>(slots), true);
    curves.push_back(std::move(curve));
  }
  return curves;
}

TEST(TemperedCrossing, IsExtrapolatedForSizesOfAnyRatio) {
  const auto found = tempered_crossings(synthetic_curves({4, 6, 8, 16, 32}, 1e-9, 1));
  ASSERT_EQ(found.size(), 5u);
  EXPECT_GT(found[0].temperature.value, found[3].temperature.value) << "drift";
  EXPECT_NEAR(found[4].temperature.value, 3.85, 1e-6);
  EXPECT_NEAR(found[4].value.value, 1.2, 1e-6);
  EXPECT_TRUE(std::isinf(found[4].L2));
  EXPECT_TRUE(std::isfinite(found[4].chi2_dof)) << "a line through four points";
}

/// The abscissa of T* for L and 2 L, and the limit of the line through two points.
double abscissa(double L, double nu, double omega) {
  return std::pow(L, -omega - 1 / nu) * (1 - std::pow(2, -omega)) / (std::pow(2, 1 / nu) - 1);
}

double limit_of_two(const std::vector<Crossing>& found, double nu, double omega) {
  const double x1 = abscissa(found[0].L1, nu, omega), x2 = abscissa(found[1].L1, nu, omega);
  return (found[0].temperature.value * x2 - found[1].temperature.value * x1) / (x2 - x1);
}

TEST(TemperedCrossing, HasALimitWhoseSystematicErrorIsHalfTheSpreadOverExponents) {
  const auto found = tempered_crossings(synthetic_curves({8, 16, 32}, 1e-7, 1));
  ASSERT_EQ(found.size(), 3u);
  double low = limit_of_two(found, 1.38, 0.52), high = low;
  EXPECT_NEAR(found[2].temperature.value, low, 1e-9);
  for (const auto& [nu, omega] : std::vector<std::pair<double, double>>{
           {1.28, 0.41}, {1.28, 0.63}, {1.48, 0.41}, {1.48, 0.63}, {0.63002, 0.832}}) {
    low = std::min(low, limit_of_two(found, nu, omega));
    high = std::max(high, limit_of_two(found, nu, omega));
  }
  EXPECT_GT(high - low, 1e-3);
  EXPECT_NEAR(found[2].temperature_systematic, 0.5 * (high - low), 1e-9);
  EXPECT_GT(found[2].value_systematic, 0);
  EXPECT_TRUE(std::isnan(found[0].temperature_systematic)) << "no exponent enters a crossing";
}

TEST(TemperedCrossing, HasTheFewestBlocksOfTheSizesThatEnter) {
  auto curves = synthetic_curves({8, 16, 32}, 1e-4, 1);
  statistics::Blocks& few = curves[2].blocks;
  const Eigen::MatrixXd sums = few.sums;
  few = {Eigen::MatrixXd(8, sums.cols()), Eigen::VectorXd::Constant(8, 8)};
  for (Eigen::Index j = 0; j < 8; ++j) few.sums.row(j) = sums.middleRows(8 * j, 8).colwise().sum();
  const auto found = tempered_crossings(curves);
  EXPECT_EQ(found[0].blocks, 64);
  EXPECT_EQ(found[1].blocks, 8);
  EXPECT_EQ(found[2].blocks, 8);
}

TEST(TemperedCrossing, HasErrorsThatCoverTheTruthThoughSlotsShareSamples) {
  const double truth = tempered_crossings(synthetic_curves({8, 16}, 1e-9, 1))[0].temperature.value;
  int covered = 0;
  for (std::uint64_t study = 0; study < 300; ++study) {
    const auto found = tempered_crossings(synthetic_curves({8, 16}, 0.004, 100 + study))[0];
    covered += std::abs(found.temperature.value - truth) < found.temperature.error;
  }
  EXPECT_NEAR(covered, 300 * 0.6827, 4 * std::sqrt(300 * 0.6827 * 0.3173));
}

TEST(TemperedCrossing, SaysWhenASlotBesideItIsNotEquilibrated) {
  auto curves = synthetic_curves({8, 16}, 1e-4, 3);
  const auto where = tempered_crossings(curves)[0];
  for (Eigen::Index k = 0; k < curves[0].temperatures.size(); ++k)
    if (curves[0].temperatures[k] <= where.temperature.value)
      curves[0].equilibrated[static_cast<std::size_t>(k)] = false;
  EXPECT_EQ(tempered_crossings(curves)[0].equilibrated, false);
}

CrossingOptions pairs_of_ratio(double ratio) {
  CrossingOptions options = random_field_exponents;
  options.ratio = ratio;
  return options;
}

TEST(TemperedCrossing, IsThatOfAllPairsOfSizesWithTheRatioAskedFor) {
  const auto found = tempered_crossings(synthetic_curves({8, 12, 16, 24, 32, 40}, 1e-9, 1), pairs_of_ratio(2));
  std::vector<std::pair<double, double>> pairs;
  for (const Crossing& crossing : found) pairs.push_back({crossing.L1, crossing.L2});
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(pairs, (std::vector<std::pair<double, double>>{{8, 16}, {12, 24}, {16, 32}, {8, infinity}}));
  const auto exact = [](double L) {  // 0.4 x L^(1/1.38) - 0.3 L^-0.52 is the same for L and 2 L
    return 3.85 + 0.3 / 0.4 * std::pow(L, -0.52 - 1 / 1.38) * (1 - std::pow(2, -0.52)) / (std::pow(2, 1 / 1.38) - 1);
  };
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i].temperature.value, exact(found[i].L1), 1e-6) << i;
  EXPECT_NEAR(found[3].temperature.value, 3.85, 1e-6);
}

/// With the largest of the sizes as far off as unrelaxed samples, and a failed equilibration test.
std::vector<TemperedCurve> with_largest_out_of_equilibrium(std::vector<TemperedCurve> curves) {
  const Eigen::Index slots = curves.back().temperatures.size();
  curves.back().blocks.sums.leftCols(slots).array() += 0.2;
  curves.back().equilibrated.assign(static_cast<std::size_t>(slots), false);
  return curves;
}

TEST(TemperedCrossing, IsExtrapolatedFromEquilibratedPairsOnlyWhereThereAreTwo) {
  const auto curves = with_largest_out_of_equilibrium(synthetic_curves({8, 12, 16, 24, 32}, 1e-9, 1));
  const auto found = tempered_crossings(curves, pairs_of_ratio(2));
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[2].equilibrated, false);
  EXPECT_GT(found[2].temperature.value, found[0].temperature.value) << "off the drift of the others, and shown";
  EXPECT_EQ(found[3].equilibrated, true);
  EXPECT_NEAR(found[3].temperature.value, 3.85, 1e-6);
  EXPECT_NEAR(found[3].value.value, 1.2, 1e-6);
}

TEST(TemperedCrossing, IsExtrapolatedFromAllPairsAndSaysSoWhereOnlyOneIsEquilibrated) {
  const auto curves = with_largest_out_of_equilibrium(synthetic_curves({8, 16, 32}, 1e-9, 1));
  const auto found = tempered_crossings(curves);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[2].equilibrated, false);
  EXPECT_GT(std::abs(found[2].temperature.value - 3.85), 0.01);
}

TEST(TemperedCrossing, OfOtherPairsIsGivenThoughTheCurvesOfOneDoNotCross) {
  auto curves = synthetic_curves({8, 16, 32, 64}, 1e-9, 1);
  curves.back().blocks.sums.leftCols(curves.back().temperatures.size()).array() += 20;
  const auto found = tempered_crossings(curves);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[1].L2, 32);
  EXPECT_EQ(found[2].L2, 64);
  EXPECT_TRUE(std::isnan(found[2].temperature.value));
  EXPECT_TRUE(std::isinf(found[3].L2)) << "the limit is last";
  EXPECT_NEAR(found[3].temperature.value, 3.85, 1e-6);
}

TEST(TemperedCrossing, IsAResultWithoutATemperatureWhereNoneIs) {
  CrossingOptions options = random_field_exponents;
  options.from = 4.3;
  const auto found = tempered_crossings(synthetic_curves({8, 16, 32}, 1e-6, 4), options);
  ASSERT_EQ(found.size(), 2u) << "both pairs, and no limit";
  for (const Crossing& none : found) {
    EXPECT_TRUE(std::isnan(none.temperature.value) && std::isnan(none.value.value));
    EXPECT_EQ(none.T_min, 4.3);
    EXPECT_EQ(none.T_max, 4.6);
    EXPECT_FALSE(none.equilibrated.has_value());
    test::expect_sentence(none.why_none, "do not cross between T = 4.3 and 4.6");
  }
}

TEST(TemperedCrossing, OfCurvesThatDifferByNoiseIsNone) {
  auto curves = synthetic_curves({8}, 0.01, 5);
  curves.push_back(synthetic_curves({8}, 0.01, 6)[0]);
  curves[1].L = 16;
  const Eigen::Index slots = curves[0].temperatures.size();
  const Eigen::VectorXd above = curves[1].blocks.means().head(slots) - curves[0].blocks.means().head(slots);
  curves[1].blocks.sums.leftCols(slots).array() -= above.mean();  // so that they do change sign
  const auto found = tempered_crossings(curves);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(std::isnan(found[0].temperature.value));
  test::expect_sentence(found[0].why_none, "is not determined, it leaves T = 3.6 to 4.6");
}

TEST(TemperedCrossing, IsRefusedWhereNoTwoCurvesCanBeCompared) {
  const auto expect = [](const std::vector<TemperedCurve>& curves, const CrossingOptions& options,
                         const std::string& part) {
    const std::string message = test::refusal([&] { tempered_crossings(curves, options); });
    test::expect_sentence(message, part);
  };
  const auto curves = synthetic_curves({8, 16}, 1e-6, 4);
  CrossingOptions options = random_field_exponents;
  expect({curves[0]}, options, "needs two sizes");
  expect(curves, pairs_of_ratio(3), "No two of the sizes L = 8, 16 have the ratio 3 of --ratio");
  options.from = 5;
  expect(curves, options, "do not cross in a range of temperatures that both sizes cover");
}

}  // namespace
}  // namespace psflip::analysis
