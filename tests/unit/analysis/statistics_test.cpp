#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "analysis/statistics/autocorrelation.hpp"
#include "analysis/statistics/binning.hpp"
#include "analysis/statistics/equilibration.hpp"
#include "analysis/statistics/jackknife.hpp"

namespace psflip::statistics {
namespace {

Blocks normal_blocks(std::uint64_t seed, Eigen::Index blocks, Eigen::Index quantities, bool unequal) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Blocks result{Eigen::MatrixXd::Zero(blocks, quantities), Eigen::VectorXd(blocks)};
  for (Eigen::Index j = 0; j < blocks; ++j) {
    result.weights[j] = unequal ? 1.0 + static_cast<double>(random() % 5) : 4.0;
    for (int s = 0; s < static_cast<int>(result.weights[j]); ++s)
      for (Eigen::Index i = 0; i < quantities; ++i) result.sums(j, i) += 1.0 + static_cast<double>(i) + normal(random);
  }
  return result;
}

Eigen::VectorXd identity(const Eigen::VectorXd& means) { return means; }

TEST(Jackknife, GivesTheTextbookErrorOfAMean) {
  const Blocks blocks = normal_blocks(1, 40, 2, false);
  const Jackknife jackknife(blocks, identity);
  const Eigen::MatrixXd x = blocks.sums / 4;
  const Eigen::MatrixXd deviations = x.rowwise() - x.colwise().mean();
  const Eigen::MatrixXd expected = deviations.transpose() * deviations / (40.0 * 39.0);
  EXPECT_TRUE(jackknife.covariance().isApprox(expected, 1e-12));
  EXPECT_TRUE(jackknife.value().isApprox(x.colwise().mean().transpose(), 1e-12));
  EXPECT_NEAR(jackknife.error()[1], std::sqrt(expected(1, 1)), 1e-14);
}

TEST(Jackknife, ReproducesTheClosedFormForUnequalBlocks) {
  const Blocks blocks = normal_blocks(2, 30, 1, true);
  const Jackknife jackknife(blocks, identity);
  const double n = blocks.weights.sum(), mean = blocks.sums.sum() / n;
  double expected = 0;
  for (Eigen::Index j = 0; j < 30; ++j) {
    const double m = blocks.weights[j];
    expected += m * std::pow(blocks.sums(j, 0) / m - mean, 2) / (n - m) / 30;
  }
  EXPECT_NEAR(jackknife.covariance()(0, 0), expected, 1e-14);
  EXPECT_NEAR(jackknife.value()[0], mean, 1e-12);
}

TEST(Jackknife, RemovesTheBiasOfASquareExactly) {
  // E[mean^2] = mu^2 + s^2 / n, and the jackknife subtracts the unbiased estimate of s^2 / n.
  const Blocks blocks = normal_blocks(3, 25, 1, false);
  const Jackknife jackknife(blocks, [](const Eigen::VectorXd& m) { return Eigen::VectorXd(m.array().square()); });
  const Jackknife linear(blocks, identity);
  const double mean = linear.plain()[0];
  EXPECT_NEAR(jackknife.plain()[0], mean * mean, 1e-12);
  EXPECT_NEAR(jackknife.value()[0], mean * mean - linear.covariance()(0, 0), 1e-12);
}

TEST(Jackknife, AgreesWithLinearPropagationForARatioOfManyBlocks) {
  const Blocks blocks = normal_blocks(4, 4000, 2, true);
  const Jackknife ratio(blocks, [](const Eigen::VectorXd& m) { return Eigen::VectorXd::Constant(1, m[1] / m[0]); });
  const Eigen::VectorXd means = blocks.means();
  const Eigen::Vector2d gradient(-means[1] / (means[0] * means[0]), 1 / means[0]);
  const double expected = gradient.dot(Jackknife(blocks, identity).covariance() * gradient);
  EXPECT_NEAR(ratio.error()[0], std::sqrt(expected), 2e-3 * std::sqrt(expected));
}

TEST(Jackknife, ReportsNoErrorForASingleBlockAndNoValueWhereTheFunctionIsUndefined) {
  const Estimate single = Jackknife(normal_blocks(5, 1, 1, false), identity).estimate(0);
  EXPECT_TRUE(std::isfinite(single.value));
  EXPECT_TRUE(std::isnan(single.error));
  const Jackknife root(normal_blocks(6, 20, 1, false),
                       [](const Eigen::VectorXd& m) { return Eigen::VectorXd((m.array() - 100).sqrt()); });
  EXPECT_TRUE(std::isnan(root.estimate(0).value));
  EXPECT_TRUE(std::isnan(root.estimate(0).error));
}

TEST(Jackknife, GivesAnErrorFromTwoBlocksOn) {
  const Estimate two = Jackknife({Eigen::MatrixXd{{1}, {3}}, Eigen::VectorXd::Ones(2)}, identity).estimate(0);
  EXPECT_DOUBLE_EQ(two.value, 2);
  EXPECT_DOUBLE_EQ(two.error, 1);
}

/// x_{t+1} = a x_t + noise has rho(t) = a^t and tau_int = 1/2 (1 + a) / (1 - a).
std::vector<double> autoregressive(double a, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> series(n);
  double x = normal(random) / std::sqrt(1 - a * a);
  for (double& value : series) value = x = a * x + normal(random);
  return series;
}

TEST(Autocorrelation, IsOneHalfForWhiteNoise) {
  const auto result = autocorrelation(autoregressive(0, 200'000, 7));
  EXPECT_NEAR(result.tau_int.value, 0.5, 4 * result.tau_int.error);
  EXPECT_LT(result.tau_int.error, 0.02);
}

TEST(Autocorrelation, FindsTheTimeOfAnAutoregressiveSeries) {
  for (const double a : {0.5, 0.9, 0.98}) {
    const auto result = autocorrelation(autoregressive(a, 400'000, 8));
    EXPECT_NEAR(result.tau_int.value, 0.5 * (1 + a) / (1 - a), 4 * result.tau_int.error) << a;
    EXPECT_LT(result.tau_int.error, 0.1 * result.tau_int.value);
  }
}

TEST(Autocorrelation, IsUnknownForASeriesThatIsConstantOrTooShort) {
  EXPECT_TRUE(std::isnan(autocorrelation(std::vector<double>(100, 3.0)).tau_int.value));
  EXPECT_TRUE(std::isnan(autocorrelation(std::vector<double>{}).tau_int.value));
  std::vector<double> ramp(50);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<double>(i);
  EXPECT_TRUE(std::isnan(autocorrelation(ramp).tau_int.value));
}

TEST(Autocorrelation, FollowsItsDefinitionForShortSeries) {
  const std::vector<double> square_wave = {1, 1, -1, -1, 1, 1, -1, -1};  // rho(1) = 1/7, rho(2) = -1, rho(3) = -1/5
  const auto first = autocorrelation(square_wave, 1);
  EXPECT_EQ(first.window, 1u);
  EXPECT_DOUBLE_EQ(first.tau_int.value, 0.5 + 1.0 / 7);
  EXPECT_DOUBLE_EQ(first.tau_int.error, (0.5 + 1.0 / 7) * std::sqrt(6.0 / 8));
  const auto second = autocorrelation(square_wave, 2);
  EXPECT_EQ(second.window, 2u);
  EXPECT_DOUBLE_EQ(second.tau_int.value, 1.0 / 7 - 0.5);
  const std::vector<double> sine = {1, 0, -1, 0, 1, 0, -1, 0};  // rho(1) = 0: window 1 is exactly 2 tau_int
  EXPECT_EQ(autocorrelation(sine, 2).window, 1u);
  EXPECT_EQ(autocorrelation(sine, 2).tau_int.value, 0.5);
}

TEST(Autocorrelation, SumsUpToTheLastLagBelowHalfOfTheSeries) {
  const std::vector<double> ramp = {0, 1, 2, 3, 4, 5, 6, 7};  // 1/2 + rho(1) + ...: 1.21, 1.58, 1.53
  EXPECT_EQ(autocorrelation(ramp, 1.9).window, 3u);
  EXPECT_TRUE(std::isnan(autocorrelation(ramp, 2).tau_int.value));
}

TEST(Binning, HasAFlatErrorForWhiteNoise) {
  const auto levels = log2_binning(autoregressive(0, 1 << 16, 9));
  ASSERT_EQ(levels.size(), 14u);
  EXPECT_EQ(levels.back().bins, 8u);
  for (const auto& level : levels) {
    const double relative = std::sqrt(2.0 / static_cast<double>(level.bins - 1));  // of the squared error
    EXPECT_NEAR(level.tau_int, 0.5, 4 * 0.5 * relative) << level.bin_size;
  }
}

TEST(Binning, ReachesTheAutocorrelationTimeOfAnAutoregressiveSeries) {
  const auto levels = log2_binning(autoregressive(0.8, 1 << 19, 10));
  const auto& level = levels[9];  // 512 values per bin, tau_int = 4.5
  EXPECT_NEAR(level.tau_int, 4.5 * (1 - 4.5 / 512), 4 * 4.5 * std::sqrt(2.0 / static_cast<double>(level.bins)));
  EXPECT_DOUBLE_EQ(levels[0].tau_int, 0.5);
}

TEST(Binning, DropsAnOddValueAtTheEndAndRefusesShortSeries) {
  const auto levels = log2_binning(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 400});
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[1].bins, 8u);
  EXPECT_NEAR(levels[1].error, std::sqrt(24.0 / 8.0), 1e-12);  // bins 1.5, 3.5, ..., 15.5 have variance 24
  EXPECT_TRUE(log2_binning(std::vector<double>(7, 1.0)).empty());
}

Eigen::MatrixXd relaxing_bins(Eigen::Index blocks, double amplitude, double time, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd bins(blocks, 32);
  for (Eigen::Index j = 0; j < blocks; ++j)
    for (Eigen::Index b = 0; b < 32; ++b)
      bins(j, b) = 1 + amplitude * std::exp(-static_cast<double>(b) / time) + normal(random);
  return bins;
}

TEST(Equilibration, AcceptsAStationarySeriesAtTheStatedRate) {
  int accepted = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed)
    accepted += *is_equilibrated(relaxing_bins(64, 0, 1, 100 + seed), Eigen::VectorXd::Constant(64, 2.0));
  EXPECT_GE(accepted, 392);  // two tests at three sigma: 99.5 %
}

TEST(Equilibration, RejectsASeriesThatStillRelaxes) {
  EXPECT_FALSE(*is_equilibrated(relaxing_bins(64, 3, 8, 11), Eigen::VectorXd::Ones(64)));
  EXPECT_FALSE(*is_equilibrated(relaxing_bins(1, 8, 10, 12), Eigen::VectorXd::Ones(1)));
}

TEST(Equilibration, ForgivesATransientThatIsOverBeforeTheThirdWindow) {
  EXPECT_TRUE(*is_equilibrated(relaxing_bins(64, 3, 0.4, 13), Eigen::VectorXd::Ones(64)));
  EXPECT_TRUE(*is_equilibrated(relaxing_bins(2, 3, 0.4, 14), Eigen::VectorXd::Ones(2)));
}

TEST(Equilibration, SeesADriftThatIsSmallBesideTheSpreadOfTheSamples) {
  Eigen::MatrixXd bins = relaxing_bins(64, 2, 8, 15);
  std::mt19937_64 random(16);
  std::normal_distribution<double> normal(0, 50);
  for (Eigen::Index j = 0; j < bins.rows(); ++j) bins.row(j).array() += normal(random);
  EXPECT_FALSE(*is_equilibrated(bins, Eigen::VectorXd::Ones(64)));
}

/// Eight bins: `early` in the third window, `middle` in the second, mean 0 and variance 4/3 in the last.
Eigen::MatrixXd eight_bins(Eigen::Index blocks, double early, double middle) {
  const Eigen::RowVectorXd row{{100, early, middle, middle, 1, -1, 1, -1}};
  return row.replicate(blocks, 1);
}

TEST(Equilibration, ComparesFewBlocksWithTheScatterOfTheLastWindow) {
  const auto accepts = [](Eigen::Index blocks, double early, double middle) {
    return *is_equilibrated(eight_bins(blocks, early, middle), Eigen::VectorXd::Ones(blocks), 1);
  };
  // One block: sqrt(4/3 (1/2 + 1/4)) = 1 for the second window, sqrt(4/3 (1 + 1/4)) = 1.291 for the third.
  EXPECT_TRUE(accepts(1, 0, 0.999));
  EXPECT_FALSE(accepts(1, 0, 1.001));
  EXPECT_TRUE(accepts(1, 1.290, 0));
  EXPECT_FALSE(accepts(1, 1.292, 0));
  // Two equal blocks: sqrt(8/7 (1/4 + 1/8)) = 0.6547.
  EXPECT_TRUE(accepts(2, 0, 0.654));
  EXPECT_FALSE(accepts(2, 0, 0.656));
}

TEST(Equilibration, ComparesWithinBlocksFromSixteenBlocksOn) {
  EXPECT_TRUE(*is_equilibrated(eight_bins(15, 0, 0.1), Eigen::VectorXd::Ones(15)));
  EXPECT_FALSE(*is_equilibrated(eight_bins(16, 0, 0.1), Eigen::VectorXd::Ones(16))) << "the blocks differ by nothing";
}

TEST(Equilibration, TakesTheLastHalfAndTheTwoWindowsBeforeIt) {
  const auto windows = log_windows(8);
  ASSERT_TRUE(windows);
  using Range = std::pair<Eigen::Index, Eigen::Index>;
  EXPECT_EQ(*windows, (Windows{{Range(4, 8), Range(2, 4), Range(1, 2)}}));
}

TEST(Equilibration, GivesNoVerdictOnFewerThanEightBins) {
  EXPECT_FALSE(is_equilibrated(Eigen::MatrixXd::Zero(20, 7), Eigen::VectorXd::Ones(20)).has_value());
  EXPECT_EQ(log_windows(32)->at(2), (std::pair<Eigen::Index, Eigen::Index>(4, 8)));
}

}  // namespace
}  // namespace psflip::statistics
