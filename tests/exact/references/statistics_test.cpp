#include <gtest/gtest.h>

#include <cmath>

#include "statistics.hpp"

namespace psflip::exact {
namespace {

TEST(ExactStatistics, the_jackknife_of_a_mean_is_the_standard_error) {
  const Estimate estimate = mean_of({{1.0}, {2.0}, {4.0}, {5.0}}, 0);
  EXPECT_DOUBLE_EQ(estimate.value, 3.0);
  EXPECT_DOUBLE_EQ(estimate.error, std::sqrt(10.0 / 3 / 4));
}

TEST(ExactStatistics, the_jackknife_removes_the_bias_of_a_square) {
  const Blocks blocks = {{1.0}, {2.0}, {4.0}, {5.0}};
  const Estimate square = jackknife(blocks, [](const std::vector<double>& mean) { return mean[0] * mean[0]; });
  EXPECT_NEAR(square.value, 9.0 - 10.0 / 3 / 4, 1e-12);  // unbiased: mean^2 - variance / n
}

TEST(ExactStatistics, blocks_are_means_of_consecutive_rows) {
  EXPECT_EQ(merged({{1.0, 10.0}, {3.0, 30.0}, {5.0, 50.0}, {7.0, 70.0}}, 2), (Blocks{{2.0, 20.0}, {6.0, 60.0}}));
  EXPECT_THROW(merged({{1.0}, {2.0}, {3.0}}, 2), std::invalid_argument);
}

// Abramowitz and Stegun, table 26.8: 5 % points of chi^2.
TEST(ExactStatistics, the_tail_of_chi_squared_has_the_tabulated_points) {
  EXPECT_NEAR(chi_squared_tail(18.3070, 10), 0.05, 1e-6);
  EXPECT_NEAR(chi_squared_tail(31.4104, 20), 0.05, 1e-6);
  EXPECT_NEAR(chi_squared_tail(55.7585, 40), 0.05, 1e-6);
}

}  // namespace
}  // namespace psflip::exact
