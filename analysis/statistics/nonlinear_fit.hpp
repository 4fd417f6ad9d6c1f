#pragma once
#include <Eigen/Core>
#include <functional>

#include "analysis/statistics/fit.hpp"

namespace psflip::statistics {

/// A model that is not linear in its parameters, at all points.
struct Model {
  std::function<Eigen::VectorXd(const Eigen::VectorXd& parameters)> values;
  std::function<Eigen::MatrixXd(const Eigen::VectorXd& parameters)> derivatives;  ///< [point][parameter]
};

/// Least squares by the method of Levenberg and Marquardt. The covariance of the points is factored once, so that many
/// data sets with the same errors can be fitted.
class NonlinearFit {
 public:
  /// covariance: [point][point]. Throws std::domain_error when it is not positive definite.
  NonlinearFit(Model model, const Eigen::MatrixXd& covariance);

  /// Minimises (y - f(p))^T C^-1 (y - f(p)) from `start`. Throws std::domain_error when the search finds no minimum or
  /// the points do not determine the parameters.
  Fit operator()(const Eigen::VectorXd& y, const Eigen::VectorXd& start) const;

  /// How the parameters of a minimum follow small changes of the points, [parameter][point]: (J^T C^-1 J)^-1 J^T C^-1,
  /// the step of Gauss and Newton. Throws std::domain_error when the points do not determine the parameters.
  Eigen::MatrixXd response(const Eigen::VectorXd& minimum) const;

 private:
  Model model_;
  Eigen::MatrixXd factor_;  ///< G with C = G G^T, lower triangular
};

}  // namespace psflip::statistics
