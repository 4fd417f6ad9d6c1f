#include "analysis/interpolation/polynomial_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace psflip::analysis {
namespace {

double power(double x, int k) { return std::pow(x, k); }
double slope_of_power(double x, int k) { return k == 0 ? 0 : k * std::pow(x, k - 1); }

TEST(PolynomialWeights, AreExactForAllPolynomialsOfTheirOrderAndNotForTheNext) {
  const Eigen::VectorXd places = (Eigen::VectorXd(5) << 0.3, 0.42, 0.47, 0.61, 0.7).finished();
  for (const double x : {0.3, 0.35, 0.47, 0.69})
    for (int k = 0; k <= 5; ++k) {
      const Eigen::VectorXd values = places.unaryExpr([k](double t) { return power(t, k); });
      const double value = polynomial_weights(places, x).dot(values),
                   slope = polynomial_weights(places, x, 1).dot(values);
      const bool at_place = x == 0.3 || x == 0.47;
      if (k < 5) {
        EXPECT_NEAR(value, power(x, k), 1e-12) << x << " " << k;
        EXPECT_NEAR(slope, slope_of_power(x, k), 1e-10) << x << " " << k;
        continue;
      }
      EXPECT_EQ(std::abs(value - power(x, k)) < 1e-7, at_place) << x;
      EXPECT_GT(std::abs(slope - slope_of_power(x, k)), 1e-7) << x;
    }
}

TEST(PolynomialWeights, TakeSlopesToo) {
  const std::vector<Node> nodes = {{2.0, 0}, {2.0, 1}, {2.3, 0}, {2.3, 1}, {2.9, 0}, {2.9, 1}};
  for (int k = 0; k <= 5; ++k) {
    Eigen::VectorXd known(6);
    for (Eigen::Index i = 0; i < 6; ++i) {
      const Node& node = nodes[static_cast<std::size_t>(i)];
      known[i] = node.derivative == 0 ? power(node.x, k) : slope_of_power(node.x, k);
    }
    EXPECT_NEAR(polynomial_weights(nodes, 2.5).dot(known), power(2.5, k), 1e-10) << k;
    EXPECT_NEAR(polynomial_weights(nodes, 2.1, 1).dot(known), slope_of_power(2.1, k), 1e-9) << k;
  }
}

}  // namespace
}  // namespace psflip::analysis
