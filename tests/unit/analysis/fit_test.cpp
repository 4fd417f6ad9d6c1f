#include "analysis/statistics/fit.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <random>
#include <stdexcept>

#include "analysis/statistics/nonlinear_fit.hpp"

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
  EXPECT_EQ(fit.parameters.size(), 2);
  EXPECT_EQ(fit.dof, 10);
  const Eigen::ArrayXd distance = t.array().log() - t.array().log().mean();
  EXPECT_NEAR(fit.covariance(1, 1), 1e-4 / distance.square().sum(), 1e-15);
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

/// y = p0 exp(-p1 x), and its derivatives.
Model decay(const Eigen::VectorXd& x) {
  return {[=](const Eigen::VectorXd& p) { return Eigen::VectorXd(p[0] * (-p[1] * x.array()).exp()); },
          [=](const Eigen::VectorXd& p) {
            Eigen::MatrixXd columns(x.size(), 2);
            columns.col(0) = (-p[1] * x.array()).exp();
            columns.col(1) = -p[0] * x.array() * columns.col(0).array();
            return columns;
          }};
}

TEST(NonlinearFit, CoversTheTruthAndHasAChiSquaredOfItsDegreesOfFreedom) {
  std::mt19937_64 random(22);
  std::normal_distribution<double> normal;
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(8, 0, 2);
  Eigen::MatrixXd covariance(8, 8);  // correlated as measurements of one run are
  for (Eigen::Index i = 0; i < 8; ++i)
    for (Eigen::Index j = 0; j < 8; ++j) covariance(i, j) = 1e-4 * std::pow(0.7, std::abs(i - j));
  const Eigen::MatrixXd factor = covariance.llt().matrixL();
  const NonlinearFit fit(decay(x), covariance);
  int covered = 0;
  double chi2 = 0;
  for (int study = 0; study < 2000; ++study) {
    Eigen::VectorXd noise(8);
    for (double& value : noise) value = normal(random);
    const Fit found = fit(decay(x).values(Eigen::Vector2d(2, 1.5)) + factor * noise, Eigen::Vector2d(1, 1));
    covered += std::abs(found.parameters[1] - 1.5) < found.parameter(1).error;
    chi2 += found.chi2 / 2000;
    EXPECT_EQ(found.dof, 6);
  }
  EXPECT_NEAR(covered, 2000 * 0.6827, 4 * std::sqrt(2000 * 0.6827 * 0.3173));
  EXPECT_NEAR(chi2, 6, 4 * std::sqrt(12.0 / 2000));
}

TEST(NonlinearFit, AgreesWithALinearFitOfALinearModel) {
  const Eigen::MatrixXd design = powers(Eigen::VectorXd::LinSpaced(5, 0, 1), 1, 0);
  const Eigen::VectorXd y = (Eigen::VectorXd(5) << 1, 3, 2, 5, 4).finished();
  const Eigen::MatrixXd covariance = Eigen::VectorXd::LinSpaced(5, 0.1, 0.5).asDiagonal();
  const NonlinearFit fit({[&](const Eigen::VectorXd& p) { return Eigen::VectorXd(design * p); },
                          [&](const Eigen::VectorXd&) { return design; }},
                         covariance);
  const Fit found = fit(y, Eigen::Vector2d(10, -10)), linear = fit_linear(design, y, covariance);
  EXPECT_LT((found.parameters - linear.parameters).norm(), 1e-8);
  EXPECT_LT((found.covariance - linear.covariance).norm(), 1e-10);
  EXPECT_NEAR(found.chi2, linear.chi2, 1e-10);
}

TEST(NonlinearFit, SaysHowItsMinimumFollowsSmallChangesOfThePoints) {
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(6, 0, 2);
  const Eigen::MatrixXd covariance = Eigen::VectorXd::LinSpaced(6, 1e-4, 4e-4).asDiagonal();
  const NonlinearFit fit(decay(x), covariance);
  const Eigen::VectorXd y = decay(x).values(Eigen::Vector2d(2, 1.5));
  const Fit found = fit(y, Eigen::Vector2d(1, 1));
  const Eigen::VectorXd change = 1e-5 * Eigen::VectorXd::LinSpaced(6, -1, 2);
  const Eigen::VectorXd moved = fit(y + change, found.parameters).parameters - found.parameters;
  EXPECT_LT((fit.response(found.parameters) * change - moved).norm(), 1e-3 * moved.norm());
  EXPECT_GT(moved.norm(), 1e-6);
  const NonlinearFit nothing(decay(Eigen::VectorXd::Zero(4)), Eigen::MatrixXd::Identity(4, 4));
  EXPECT_THROW(nothing.response(Eigen::Vector2d(2, 1)), std::domain_error);
}

TEST(NonlinearFit, RefusesWhatThePointsDoNotDetermine) {
  const Eigen::VectorXd x = Eigen::VectorXd::Zero(4);  // where exp(-p1 x) says nothing of p1
  const NonlinearFit fit(decay(x), Eigen::MatrixXd::Identity(4, 4));
  EXPECT_THROW(fit(Eigen::VectorXd::Ones(4), Eigen::Vector2d(2, 1)), std::domain_error);
  EXPECT_THROW(NonlinearFit(decay(x), -Eigen::MatrixXd::Identity(4, 4)), std::domain_error);
  EXPECT_THROW(
      NonlinearFit(decay(x.head(1)), Eigen::MatrixXd::Identity(1, 1))(Eigen::VectorXd::Ones(1), Eigen::Vector2d(2, 1)),
      std::domain_error);
}

TEST(Fit, RefusesWhatThePointsDoNotDetermine) {
  EXPECT_THROW(fit_polynomial(Eigen::Vector2d(1, 1), Eigen::Vector2d(1, 2), Eigen::Vector2d(1, 1), 1),
               std::domain_error);
  EXPECT_THROW(fit_linear(Eigen::Vector2d::Ones(), Eigen::Vector2d(1, 2), Eigen::Matrix2d::Ones() * -1),
               std::domain_error);
}

}  // namespace
}  // namespace psflip::statistics
