#include "analysis/statistics/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

namespace psflip::statistics {
namespace {

TEST(Fit, ReturnsThePolynomialThatMadeThePoints) {
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(7, 2.2, 2.3);
  const Eigen::VectorXd y = 0.6 + 3 * (x.array() - 2.25) - 20 * (x.array() - 2.25).square();
  const Fit fit = fit_polynomial(x, y, Eigen::VectorXd::Constant(7, 0.01), 2, 2.25);
  EXPECT_NEAR(fit.parameters[0], 0.6, 1e-12);
  EXPECT_NEAR(fit.parameters[1], 3, 1e-10);
  EXPECT_NEAR(fit.parameters[2], -20, 1e-8);
  EXPECT_NEAR(fit.chi2, 0, 1e-15);
  EXPECT_EQ(fit.dof, 4);
}

TEST(Fit, MatchesTheClosedFormOfAWeightedMean) {
  const Eigen::Vector3d y(1, 2, 4), errors(0.5, 1, 2);
  const Fit fit = fit_polynomial(Eigen::Vector3d(0, 1, 2), y, errors, 0);
  const Eigen::Vector3d weights = errors.array().square().inverse();
  EXPECT_NEAR(fit.parameters[0], weights.dot(y) / weights.sum(), 1e-14);
  EXPECT_NEAR(fit.parameter(0).error, 1 / std::sqrt(weights.sum()), 1e-14);
  EXPECT_NEAR(fit.chi2_dof(), (y.array() - fit.parameters[0]).square().matrix().dot(weights) / 2, 1e-14);
}

TEST(Fit, MatchesTheClosedFormOfTwoCorrelatedValues) {
  Eigen::Matrix2d covariance;
  covariance << 1, 0.8, 0.8, 4;
  const Fit fit = fit_linear(Eigen::Vector2d::Ones(), Eigen::Vector2d(3, 5), covariance);
  const double weight = (4 - 0.8) / (1 + 4 - 1.6);
  EXPECT_NEAR(fit.parameters[0], weight * 3 + (1 - weight) * 5, 1e-14);
  EXPECT_NEAR(fit.covariance(0, 0), (1 * 4 - 0.64) / (5 - 1.6), 1e-14);
  EXPECT_NEAR(fit.chi2, 4 / (5 - 1.6), 1e-14);
}

TEST(Fit, FindsTheExponentOfAPowerLaw) {
  const Eigen::VectorXd t = Eigen::VectorXd::LinSpaced(12, 0, 9).array().exp();
  const Eigen::VectorXd y = 0.7 * t.array().pow(0.146);
  const Fit fit = fit_power_law(t, y, (0.01 * y).array().square().matrix().asDiagonal());
  EXPECT_NEAR(std::exp(fit.parameters[0]), 0.7, 1e-12);
  EXPECT_NEAR(fit.parameters[1], 0.146, 1e-12);
}

TEST(Fit, CoversTheTruthAndHasAChiSquaredOfItsDegreesOfFreedom) {
  std::mt19937_64 random(21);
  std::normal_distribution<double> normal;
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(9, -1, 1);
  const Eigen::VectorXd errors = (0.5 + x.array().abs()) * 0.1;
  int covered = 0, improbable = 0;
  double chi2 = 0;
  for (int study = 0; study < 2000; ++study) {
    Eigen::VectorXd y = 1 + 2 * x.array();
    for (Eigen::Index i = 0; i < 9; ++i) y[i] += errors[i] * normal(random);
    const Fit fit = fit_polynomial(x, y, errors, 1);
    covered += std::abs(fit.parameters[1] - 2) < fit.parameter(1).error;
    improbable += fit.q() < 0.05;
    chi2 += fit.chi2 / 2000;
  }
  EXPECT_NEAR(covered, 2000 * 0.6827, 4 * std::sqrt(2000 * 0.6827 * 0.3173));
  EXPECT_NEAR(improbable, 100, 4 * std::sqrt(100 * 0.95));
  EXPECT_NEAR(chi2, 7, 4 * std::sqrt(14.0 / 2000));
}

TEST(Fit, KnowsTheTailOfChiSquared) {
  Fit fit;
  fit.dof = 2;
  fit.chi2 = 3;
  EXPECT_NEAR(fit.q(), std::exp(-1.5), 1e-14);  // two degrees of freedom: exp(-chi2 / 2)
  fit.dof = 0;
  EXPECT_TRUE(std::isnan(fit.q()));
  EXPECT_TRUE(std::isnan(fit.chi2_dof()));
}

TEST(Fit, RefusesWhatThePointsDoNotDetermine) {
  EXPECT_THROW(fit_polynomial(Eigen::Vector2d(1, 1), Eigen::Vector2d(1, 2), Eigen::Vector2d(1, 1), 1),
               std::domain_error);
  EXPECT_THROW(fit_linear(Eigen::Vector2d::Ones(), Eigen::Vector2d(1, 2), Eigen::Matrix2d::Ones() * -1),
               std::domain_error);
}

}  // namespace
}  // namespace psflip::statistics
