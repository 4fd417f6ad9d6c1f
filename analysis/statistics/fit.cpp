#include "analysis/statistics/fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <stdexcept>

namespace psflip::statistics {

double Fit::q() const { return dof > 0 ? boost::math::gamma_q(static_cast<double>(dof) / 2, chi2 / 2) : unknown; }

Estimate Fit::parameter(Eigen::Index i) const { return {parameters[i], std::sqrt(covariance(i, i))}; }

Fit fit_linear(const Eigen::MatrixXd& design, const Eigen::VectorXd& y, const Eigen::MatrixXd& covariance) {
  // With C = G G^T the problem is an ordinary one in G^-1 X and G^-1 y; QR of it keeps the condition number of X.
  const Eigen::LLT<Eigen::MatrixXd> factor(covariance);
  if (factor.info() != Eigen::Success) throw std::domain_error("the covariance of the points is not positive definite");
  const Eigen::MatrixXd x = factor.matrixL().solve(design);
  const Eigen::VectorXd target = factor.matrixL().solve(y);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(x);
  if (qr.rank() < design.cols()) throw std::domain_error("the points do not determine the parameters");
  Fit fit;
  fit.parameters = qr.solve(target);
  fit.covariance = (x.transpose() * x).llt().solve(Eigen::MatrixXd::Identity(design.cols(), design.cols()));
  fit.chi2 = (target - x * fit.parameters).squaredNorm();
  fit.dof = design.rows() - design.cols();
  return fit;
}

Eigen::MatrixXd powers(const Eigen::VectorXd& x, int degree, double origin) {
  Eigen::MatrixXd matrix(x.size(), degree + 1);
  matrix.col(0).setOnes();
  for (int k = 1; k <= degree; ++k) matrix.col(k) = matrix.col(k - 1).array() * (x.array() - origin);
  return matrix;
}

Fit fit_polynomial(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Eigen::VectorXd& errors, int degree,
                   double origin) {
  return fit_linear(powers(x, degree, origin), y, errors.array().square().matrix().asDiagonal());
}

Fit fit_power_law(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Eigen::MatrixXd& covariance) {
  const Eigen::VectorXd inverse = y.cwiseInverse();
  return fit_linear(powers(x.array().log(), 1, 0), y.array().log(),
                    inverse.asDiagonal() * covariance * inverse.asDiagonal());
}

}  // namespace psflip::statistics
