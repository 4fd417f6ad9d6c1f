#include "judgement.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

namespace psflip::exact {
namespace {

// Abramowitz and Stegun, table 26.10: percentage points of Student's t to three digits.
TEST(Judgement, students_t_has_the_tabulated_points) {
  EXPECT_NEAR(student_p(12.706, 1), 0.05, 2e-5);
  EXPECT_NEAR(student_p(2.228, 10), 0.05, 2e-5);
  EXPECT_NEAR(student_p(-3.169, 10), 0.01, 2e-5);
  EXPECT_NEAR(student_p(3.291, 1e6), 0.001, 1e-5);
}

// I_x(1, b) = 1 - (1 - x)^b and I_x(a, 1) = x^a.
TEST(Judgement, the_incomplete_beta_function_has_its_closed_forms) {
  EXPECT_NEAR(incomplete_beta(1, 7, 0.3), 1 - std::pow(0.7, 7), 1e-13);
  EXPECT_NEAR(incomplete_beta(40, 1, 0.95), std::pow(0.95, 40), 1e-13);
  EXPECT_EQ(incomplete_beta(2, 3, 0), 0);
  EXPECT_EQ(incomplete_beta(2, 3, 1), 1);
}

/// Rows of two normal columns, correlated with `correlation`, with the mean `shift` in both.
Comparison normal_rows(std::mt19937_64& generator, std::size_t rows, double correlation, double shift) {
  std::normal_distribution<double> normal;
  Comparison comparison{"normal", {"x", "y"}, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = normal(generator), y = normal(generator);
    comparison.rows.push_back({x + shift, correlation * x + std::sqrt(1 - correlation * correlation) * y + shift});
  }
  return comparison;
}

TEST(Judgement, one_column_gives_the_probability_of_students_t) {
  std::mt19937_64 generator(1);
  Comparison comparison = normal_rows(generator, 12, 0, 0.3);
  for (std::vector<double>& row : comparison.rows) row.pop_back();
  EXPECT_NEAR(hotelling_p(comparison.rows), student_p(pull(mean_of(comparison.rows, 0), 0), 11), 1e-12);
}

TEST(Judgement, the_probabilities_of_correlated_columns_are_uniform) {
  std::mt19937_64 generator(2);
  int below = 0, failed = 0;
  for (int i = 0; i < 4000; ++i) {
    const Comparison comparison = normal_rows(generator, 10, 0.95, 0);
    below += hotelling_p(comparison.rows) < 0.2;
    failed += !judge({comparison}).passes();
  }
  EXPECT_NEAR(below, 800, 5 * std::sqrt(4000 * 0.2 * 0.8));
  EXPECT_LT(failed, 30);  // at most 3 in 1000 on average
}

TEST(Judgement, a_shift_of_both_columns_fails) {
  std::mt19937_64 generator(3);
  const Comparison right = normal_rows(generator, 50, 0.9, 0), wrong = normal_rows(generator, 50, 0.9, 1);
  EXPECT_TRUE(judge({right}).passes());
  EXPECT_FALSE(judge({right, wrong}).passes());
  EXPECT_EQ(judge({right, wrong}).pulls, 4u);
}

TEST(Judgement, columns_without_a_pull_of_their_own_are_refused) {
  EXPECT_THROW(hotelling_p({{1, 2}, {2, 4}, {4, 8}}), std::invalid_argument);
  EXPECT_THROW(hotelling_p({{1, 2}, {2, 1}}), std::invalid_argument);
}

}  // namespace
}  // namespace psflip::exact
