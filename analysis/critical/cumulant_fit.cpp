#include "analysis/critical/cumulant_fit.hpp"

#include <set>
#include <stdexcept>

namespace psflip::analysis {

CumulantFit::CumulantFit(const std::vector<DataSet>& data_sets, const CumulantForm& form)
    : form_(form), joined_(data_sets), covariance_(joined_.covariance()) {
  std::set<double> sizes;
  for (const DataSet& data_set : data_sets) sizes.insert(data_set.L.begin(), data_set.L.end());
  if (sizes.size() < (form.corrected() ? 3 : 2) || covariance_.rows() <= level(data_sets.size()))
    throw std::domain_error("the points do not determine the parameters");
}

/// Columns of the terms that are linear once beta_c and 1/nu are known: 1, x, ..., x^K, L^-omega.
Eigen::MatrixXd CumulantFit::terms(std::size_t data_set, double beta_c, double inverse_nu) const {
  const Eigen::VectorXd &L = joined_.data_sets()[data_set].L, &beta = joined_.data_sets()[data_set].beta;
  Eigen::MatrixXd columns(L.size(), form_.amplitudes());
  columns.leftCols(form_.degree + 1) =
      statistics::powers((beta.array() - beta_c) * L.array().pow(inverse_nu), form_.degree, 0);
  if (form_.corrected()) columns.col(form_.degree + 1) = L.array().pow(-form_.omega);
  return columns;
}

Eigen::VectorXd CumulantFit::values(const Eigen::VectorXd& parameters) const {
  Eigen::VectorXd all(covariance_.rows());
  Eigen::Index point = 0;
  for (std::size_t s = 0; s < joined_.data_sets().size(); ++s) {
    const Eigen::MatrixXd columns = terms(s, parameters[0], parameters[1]);
    all.segment(point, columns.rows()) = columns * parameters.segment(level(s), form_.amplitudes());
    point += columns.rows();
  }
  return all;
}

Eigen::MatrixXd CumulantFit::derivatives(const Eigen::VectorXd& parameters) const {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(covariance_.rows(), parameters.size());
  Eigen::Index point = 0;
  for (std::size_t s = 0; s < joined_.data_sets().size(); ++s) {
    const Eigen::MatrixXd columns = terms(s, parameters[0], parameters[1]);
    const Eigen::Index count = columns.rows();
    Eigen::ArrayXd slope = Eigen::ArrayXd::Zero(count);  // dU/dx
    for (int k = 1; k <= form_.degree; ++k) slope += k * parameters[level(s) + k] * columns.col(k - 1).array();
    const Eigen::ArrayXd L = joined_.data_sets()[s].L;
    all.col(0).segment(point, count) = -slope * L.pow(parameters[1]);
    all.col(1).segment(point, count) = slope * columns.col(1).array() * L.log();
    all.block(point, level(s), count, columns.cols()) = columns;
    point += count;
  }
  return all;
}

statistics::Fit CumulantFit::operator()(const Eigen::VectorXd& y, double beta_c, double nu) const {
  Eigen::VectorXd start(level(joined_.data_sets().size()));
  start.head(2) << beta_c, 1 / nu;
  Eigen::Index point = 0;
  for (std::size_t s = 0; s < joined_.data_sets().size(); ++s) {
    const Eigen::VectorXd part = joined_.part(y, s);
    start.segment(level(s), form_.amplitudes()) =
        statistics::fit_linear(terms(s, beta_c, 1 / nu), part,
                               covariance_.block(point, point, part.size(), part.size()))
            .parameters;
    point += part.size();
  }
  return (*this)(y, start);
}

statistics::NonlinearFit CumulantFit::fit() const {
  return {{[this](const Eigen::VectorXd& p) { return values(p); },
           [this](const Eigen::VectorXd& p) { return derivatives(p); }},
          covariance_};
}

statistics::Fit CumulantFit::operator()(const Eigen::VectorXd& y, const Eigen::VectorXd& start) const {
  return fit()(y, start);
}

AtBeta::AtBeta(const DataSet& data_set, int degree) : degree_(degree) {
  const Eigen::VectorXd errors = data_set.deviations.colwise().norm().transpose();
  for (Eigen::Index i = 0; i < data_set.L.size();) {
    const Eigen::Index count = (data_set.L.array() == data_set.L[i]).count();
    if (count > degree) parts_.push_back({i, count, data_set.beta.segment(i, count), errors.segment(i, count)});
    i += count;
  }
  if (parts_.empty()) throw std::domain_error("too few temperatures");
  L_.resize(std::ssize(parts_));
  for (Eigen::Index s = 0; s < L_.size(); ++s) L_[s] = data_set.L[parts_[static_cast<std::size_t>(s)].first];
}

Eigen::VectorXd AtBeta::operator()(const Eigen::VectorXd& y, double beta) const {
  Eigen::VectorXd values(L_.size());
  for (Eigen::Index s = 0; s < values.size(); ++s) values[s] = polynomial(y, s, beta)[0];
  return values;
}

Eigen::VectorXd AtBeta::polynomial(const Eigen::VectorXd& y, Eigen::Index size, double origin) const {
  const Size& part = parts_[static_cast<std::size_t>(size)];
  return statistics::fit_polynomial(part.beta, y.segment(part.first, part.count), part.errors, degree_, origin)
      .parameters;
}

statistics::Fit fit_size_power(const Eigen::VectorXd& L, const Eigen::VectorXd& log_values,
                               const Eigen::MatrixXd& covariance, double omega) {
  const bool corrected = omega == omega;
  if (L.size() < (corrected ? 3 : 2)) throw std::domain_error("too few sizes");
  Eigen::MatrixXd design(L.size(), corrected ? 3 : 2);
  design.col(0).setOnes();
  design.col(1) = L.array().log();
  if (corrected) design.col(2) = L.array().pow(-omega);
  return statistics::fit_linear(design, log_values, covariance);
}

}  // namespace psflip::analysis
