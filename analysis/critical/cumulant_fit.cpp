#include "analysis/critical/cumulant_fit.hpp"

#include <set>
#include <stdexcept>

namespace psflip::analysis {

CumulantFit::CumulantFit(const std::vector<Sheet>& sheets, const CumulantForm& form)
    : form_(form), stack_(sheets), covariance_(stack_.covariance()) {
  std::set<double> sizes;
  for (const Sheet& sheet : sheets) sizes.insert(sheet.L.begin(), sheet.L.end());
  if (sizes.size() < (form.corrected() ? 3 : 2) || covariance_.rows() <= level(sheets.size()))
    throw std::domain_error("the points do not determine the parameters");
}

/// Columns of the terms that are linear once beta_c and 1/nu are known: 1, x, ..., x^K, L^-omega.
Eigen::MatrixXd CumulantFit::terms(std::size_t sheet, double beta_c, double inverse_nu) const {
  const Eigen::VectorXd &L = stack_.sheets()[sheet].L, &beta = stack_.sheets()[sheet].beta;
  Eigen::MatrixXd columns(L.size(), form_.amplitudes());
  columns.leftCols(form_.degree + 1) =
      statistics::powers((beta.array() - beta_c) * L.array().pow(inverse_nu), form_.degree, 0);
  if (form_.corrected()) columns.col(form_.degree + 1) = L.array().pow(-form_.omega);
  return columns;
}

Eigen::VectorXd CumulantFit::values(const Eigen::VectorXd& parameters) const {
  Eigen::VectorXd all(covariance_.rows());
  Eigen::Index point = 0;
  for (std::size_t s = 0; s < stack_.sheets().size(); ++s) {
    const Eigen::MatrixXd columns = terms(s, parameters[0], parameters[1]);
    all.segment(point, columns.rows()) = columns * parameters.segment(level(s), form_.amplitudes());
    point += columns.rows();
  }
  return all;
}

Eigen::MatrixXd CumulantFit::derivatives(const Eigen::VectorXd& parameters) const {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(covariance_.rows(), parameters.size());
  Eigen::Index point = 0;
  for (std::size_t s = 0; s < stack_.sheets().size(); ++s) {
    const Eigen::MatrixXd columns = terms(s, parameters[0], parameters[1]);
    const Eigen::Index count = columns.rows();
    Eigen::ArrayXd slope = Eigen::ArrayXd::Zero(count);  // dU/dx
    for (int k = 1; k <= form_.degree; ++k) slope += k * parameters[level(s) + k] * columns.col(k - 1).array();
    const Eigen::ArrayXd L = stack_.sheets()[s].L;
    all.col(0).segment(point, count) = -slope * L.pow(parameters[1]);
    all.col(1).segment(point, count) = slope * columns.col(1).array() * L.log();
    all.block(point, level(s), count, columns.cols()) = columns;
    point += count;
  }
  return all;
}

statistics::Fit CumulantFit::operator()(const Eigen::VectorXd& y, double beta_c, double nu) const {
  Eigen::VectorXd start(level(stack_.sheets().size()));
  start.head(2) << beta_c, 1 / nu;
  Eigen::Index point = 0;
  for (std::size_t s = 0; s < stack_.sheets().size(); ++s) {
    const Eigen::VectorXd part = stack_.part(y, s);
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

AtBeta::AtBeta(const Sheet& sheet, int degree) : degree_(degree) {
  const Eigen::VectorXd errors = sheet.deviations.colwise().norm().transpose();
  for (Eigen::Index i = 0; i < sheet.L.size();) {
    const Eigen::Index count = (sheet.L.array() == sheet.L[i]).count();
    if (count > degree) parts_.push_back({i, count, sheet.beta.segment(i, count), errors.segment(i, count)});
    i += count;
  }
  if (parts_.empty()) throw std::domain_error("too few temperatures");
  L_.resize(std::ssize(parts_));
  for (Eigen::Index s = 0; s < L_.size(); ++s) L_[s] = sheet.L[parts_[static_cast<std::size_t>(s)].first];
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
