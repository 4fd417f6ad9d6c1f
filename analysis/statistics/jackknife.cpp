#include "analysis/statistics/jackknife.hpp"

namespace psflip::statistics {

Jackknife::Jackknife(const Blocks& blocks, const Function& function)
    : Jackknife(blocks, SizedFunction([&](const Eigen::VectorXd& means, double) { return function(means); })) {}

Jackknife::Jackknife(const Blocks& blocks, const SizedFunction& function) {
  const Eigen::VectorXd total = blocks.sums.colwise().sum().transpose();
  const double samples = blocks.weights.sum();
  plain_ = function(total / samples, samples);
  fractions_ = blocks.weights / samples;
  const Eigen::Index count = blocks.sums.rows();
  replicates_.resize(count, plain_.size());
  if (count < 2) {
    replicates_.setConstant(unknown);
    return;
  }
  for (Eigen::Index j = 0; j < count; ++j) {
    const double remaining = samples - blocks.weights[j];
    replicates_.row(j) = function((total - blocks.sums.row(j).transpose()) / remaining, remaining).transpose();
  }
}

Eigen::VectorXd Jackknife::value() const {
  const double count = static_cast<double>(blocks());
  return count * plain_ - replicates_.transpose() * (1.0 - fractions_.array()).matrix();
}

Eigen::MatrixXd Jackknife::deviations() const {
  // p_j - value = h (theta - theta_(j)) + theta_(j) - value, then divided by sqrt(g (h_j - 1)).
  const Eigen::RowVectorXd centre = value().transpose();
  Eigen::MatrixXd rows(replicates_.rows(), replicates_.cols());
  for (Eigen::Index j = 0; j < blocks(); ++j) {
    const double h = 1.0 / fractions_[j];
    const Eigen::RowVectorXd pseudo = h * (plain_.transpose() - replicates_.row(j)) + replicates_.row(j);
    rows.row(j) = (pseudo - centre) / std::sqrt(static_cast<double>(blocks()) * (h - 1.0));
  }
  return rows;
}

Eigen::MatrixXd Jackknife::covariance() const {
  const Eigen::MatrixXd rows = deviations();
  return rows.transpose() * rows;
}

Eigen::VectorXd Jackknife::error() const { return deviations().colwise().norm().transpose(); }

Estimate Jackknife::estimate(Eigen::Index result) const {
  if (blocks() < 2) return {plain_[result], unknown};
  return {value()[result], error()[result]};
}

}  // namespace psflip::statistics
