#pragma once
#include <Eigen/Core>

#include "analysis/statistics/estimate.hpp"

namespace psflip::statistics {

/// Result of a least-squares fit that is linear in its parameters.
struct Fit {
  Eigen::VectorXd parameters;
  Eigen::MatrixXd covariance;  ///< of the parameters, from the errors that were given
  double chi2 = 0;
  Eigen::Index dof = 0;

  double chi2_dof() const { return dof > 0 ? chi2 / static_cast<double>(dof) : unknown; }
  /// Probability of a larger chi^2 if the model and the errors are right; NaN without degrees of freedom.
  double q() const;
  Estimate parameter(Eigen::Index i) const;
};

/// Minimises (y - X p)^T C^-1 (y - X p). design: [point][parameter] = X; covariance: [point][point] = C.
/// Throws std::domain_error when C or X^T C^-1 X is not positive definite.
Fit fit_linear(const Eigen::MatrixXd& design, const Eigen::VectorXd& y, const Eigen::MatrixXd& covariance);

/// y = sum_k p_k (x - origin)^k up to `degree`, with independent errors.
Fit fit_polynomial(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Eigen::VectorXd& errors, int degree,
                   double origin = 0);

/// y = A x^p as a straight line in logarithms: parameters are log A and p. x, y and errors must be positive; covariance
/// is that of y, and passes to log y by division by y_i y_j.
Fit fit_power_law(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Eigen::MatrixXd& covariance);

/// The matrix [point][power] of (x - origin)^power.
Eigen::MatrixXd powers(const Eigen::VectorXd& x, int degree, double origin);

}  // namespace psflip::statistics
