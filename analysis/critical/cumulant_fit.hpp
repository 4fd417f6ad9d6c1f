#pragma once
#include <vector>

#include "analysis/critical/scaling_data.hpp"
#include "analysis/statistics/fit.hpp"
#include "analysis/statistics/nonlinear_fit.hpp"

/// Fits of values at fixed R_xi (docs/analysis/relaxation.md).
namespace psflip::analysis {

/// Form of U(L, beta) = U + a_1 x + ... + a_K x^K + b L^-omega, x = (beta - beta_c) L^(1/nu).
struct CumulantForm {
  int degree = 2;                      ///< K
  double omega = statistics::unknown;  ///< NaN: b = 0

  bool corrected() const { return omega == omega; }
  Eigen::Index amplitudes() const { return degree + 1 + (corrected() ? 1 : 0); }
};

/// Fits one cumulant or several with the same beta_c and nu. Parameters: beta_c, 1/nu, then U, a_1 ... a_K, b of each.
class CumulantFit {
 public:
  /// Throws std::domain_error when there are no more points than parameters.
  CumulantFit(const std::vector<DataSet>& data_sets, const CumulantForm& form);

  /// From y, all points one after another, with beta_c and nu near the given ones.
  statistics::Fit operator()(const Eigen::VectorXd& y, double beta_c, double nu) const;
  /// From the parameters of a neighbouring data set.
  statistics::Fit operator()(const Eigen::VectorXd& y, const Eigen::VectorXd& start) const;

  /// How the parameters of a minimum follow small changes of the points: [parameter][point].
  Eigen::MatrixXd response(const Eigen::VectorXd& minimum) const { return fit().response(minimum); }

  Eigen::Index points() const { return covariance_.rows(); }
  /// Position of U of a cumulant among the parameters.
  Eigen::Index level(std::size_t data_set) const {
    return 2 + form_.amplitudes() * static_cast<Eigen::Index>(data_set);
  }

 private:
  Eigen::MatrixXd terms(std::size_t data_set, double beta_c, double inverse_nu) const;
  Eigen::VectorXd values(const Eigen::VectorXd& parameters) const;
  Eigen::MatrixXd derivatives(const Eigen::VectorXd& parameters) const;
  statistics::NonlinearFit fit() const;

  CumulantForm form_;
  JoinedDataSets joined_;
  Eigen::MatrixXd covariance_;
};

/// A quantity of each size at one beta, from polynomials in beta.
class AtBeta {
 public:
  /// Sizes with too few temperatures for the degree are left out. Throws std::domain_error when none is left.
  AtBeta(const DataSet& data_set, int degree);

  const Eigen::VectorXd& L() const { return L_; }  ///< sizes, ascending
  /// [size], from the values of all points of the data set.
  Eigen::VectorXd operator()(const Eigen::VectorXd& y, double beta) const;
  /// Polynomial of one size: coefficients of (beta - origin)^k.
  Eigen::VectorXd polynomial(const Eigen::VectorXd& y, Eigen::Index size, double origin) const;

 private:
  struct Size {
    Eigen::Index first, count;
    Eigen::VectorXd beta, errors;
  };
  std::vector<Size> parts_;
  Eigen::VectorXd L_;
  int degree_;
};

/// log Q = c + p log L + b L^-omega; omega NaN: b = 0. covariance: of the logarithms. Parameters: c, p, b. Throws
/// std::domain_error for fewer sizes than parameters.
statistics::Fit fit_size_power(const Eigen::VectorXd& L, const Eigen::VectorXd& log_values,
                               const Eigen::MatrixXd& covariance, double omega);

}  // namespace psflip::analysis
