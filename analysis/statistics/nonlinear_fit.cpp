#include "analysis/statistics/nonlinear_fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <stdexcept>
#include <unsupported/Eigen/NonLinearOptimization>
#include <utility>

namespace psflip::statistics {
namespace {

/// Residuals in units of their errors, in the form that Eigen's search requires.
struct Residuals {
  const Model& model;
  const Eigen::MatrixXd& factor;
  const Eigen::VectorXd& y;

  int values() const { return static_cast<int>(y.size()); }
  int operator()(const Eigen::VectorXd& parameters, Eigen::VectorXd& residuals) const {
    residuals = factor.triangularView<Eigen::Lower>().solve(model.values(parameters) - y);
    return residuals.allFinite() ? 0 : -1;
  }
  int df(const Eigen::VectorXd& parameters, Eigen::MatrixXd& jacobian) const {
    jacobian = factor.triangularView<Eigen::Lower>().solve(model.derivatives(parameters));
    return jacobian.allFinite() ? 0 : -1;
  }
};

/// Whether the search ended at a minimum: by its criteria (1 to 4) or at the limit of rounding (6 to 8).
bool converged(Eigen::LevenbergMarquardtSpace::Status status) {
  using namespace Eigen::LevenbergMarquardtSpace;
  return status >= RelativeReductionTooSmall && status != TooManyFunctionEvaluation && status != UserAsked;
}

}  // namespace

NonlinearFit::NonlinearFit(Model model, const Eigen::MatrixXd& covariance) : model_(std::move(model)) {
  const Eigen::LLT<Eigen::MatrixXd> factored(covariance);
  if (factored.info() != Eigen::Success)
    throw std::domain_error("the covariance of the points is not positive definite");
  factor_ = factored.matrixL();
}

Fit NonlinearFit::operator()(const Eigen::VectorXd& y, const Eigen::VectorXd& start) const {
  if (y.size() < start.size()) throw std::domain_error("the points do not determine the parameters");
  Residuals residuals{model_, factor_, y};
  Eigen::LevenbergMarquardt<Residuals> search(residuals);
  Fit fit;
  fit.parameters = start;
  if (!converged(search.minimize(fit.parameters))) throw std::domain_error("the fit finds no minimum");
  Eigen::MatrixXd jacobian;
  residuals.df(fit.parameters, jacobian);
  if (Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(jacobian).rank() < start.size())
    throw std::domain_error("the points do not determine the parameters");
  fit.covariance = (jacobian.transpose() * jacobian).llt().solve(Eigen::MatrixXd::Identity(start.size(), start.size()));
  Eigen::VectorXd rest;
  residuals(fit.parameters, rest);
  fit.chi2 = rest.squaredNorm();
  fit.dof = y.size() - start.size();
  return fit;
}

Eigen::MatrixXd NonlinearFit::response(const Eigen::VectorXd& minimum) const {
  const auto factor = factor_.triangularView<Eigen::Lower>();
  const Eigen::MatrixXd jacobian = factor.solve(model_.derivatives(minimum));
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(jacobian);
  if (qr.rank() < minimum.size()) throw std::domain_error("the points do not determine the parameters");
  return qr.solve(factor.solve(Eigen::MatrixXd::Identity(jacobian.rows(), jacobian.rows())).eval());
}

}  // namespace psflip::statistics
