#include "analysis/statistics/streaming.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace psflip::statistics {
namespace {

/// Values around `centre` with standard deviation 1.
std::vector<double> values_around(double centre, std::size_t count) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(centre, 1);
  std::vector<double> values(count);
  for (double& value : values) value = normal(random);
  return values;
}

/// Sum of the squared deviations from the mean, over n - 1, as the definition has it.
double defined_variance(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0, sum = 0;
  for (const double value : values) mean += value / n;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / (n - 1);
}

TEST(Streaming, MomentsAreThoseOfTheDefinition) {
  const std::vector<double> values = values_around(-1.5, 4096);
  Moments moments;
  for (const double value : values) moments.add(value);
  const double variance = defined_variance(values);
  EXPECT_EQ(moments.count(), values.size());
  EXPECT_NEAR(moments.variance(), variance, 1e-12 * variance);
  EXPECT_NEAR(moments.squared_error(), variance / 4096, 1e-12 * variance / 4096);
}

TEST(Streaming, ALargeMeanCostsNoDigitsOfTheVariance) {
  Moments moments;
  for (const double value : {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}) moments.add(value);
  EXPECT_DOUBLE_EQ(moments.mean(), 1e9 + 10);
  EXPECT_DOUBLE_EQ(moments.variance(), 30);
}

}  // namespace
}  // namespace psflip::statistics
