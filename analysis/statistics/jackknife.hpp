#pragma once
#include <Eigen/Core>
#include <functional>

#include "analysis/statistics/estimate.hpp"

namespace psflip::statistics {

/// Sums over blocks that are independent of one another, each of one or more samples.
struct Blocks {
  Eigen::MatrixXd sums;     ///< [block][quantity], sum over the samples of the block
  Eigen::VectorXd weights;  ///< [block], number of samples, positive

  Eigen::VectorXd means() const { return sums.colwise().sum().transpose() / weights.sum(); }
};

/// Derived numbers as a function of the means of the quantities.
using Function = std::function<Eigen::VectorXd(const Eigen::VectorXd& means)>;

/// The same for numbers that depend on the number of samples too: `samples` are those behind the means, in a replicate
/// those of the blocks that remain.
using SizedFunction = std::function<Eigen::VectorXd(const Eigen::VectorXd& means, double samples)>;

/// Delete-one-block jackknife for blocks of unequal size: the delete-m_j jackknife of Busing, Meijer and van der
/// Leeden, Statistics and Computing 9 (1999) 3. With n samples in g blocks of m_j samples, h_j = n / m_j, theta_(j)
/// computed without block j: pseudo-values p_j = h_j theta - (h_j - 1) theta_(j); for equal blocks this is the usual
/// jackknife.
class Jackknife {
 public:
  Jackknife(const Blocks& blocks, const Function& function);
  Jackknife(const Blocks& blocks, const SizedFunction& function);

  /// f(means), without correction.
  const Eigen::VectorXd& plain() const { return plain_; }
  /// Bias-corrected: g theta - sum_j (1 - m_j / n) theta_(j). Equal to plain() for linear functions.
  Eigen::VectorXd value() const;
  /// Covariance between the results: 1/g sum_j (p_j - value)(p_j - value)^T / (h_j - 1). NaN for a single block.
  Eigen::MatrixXd covariance() const;
  /// D with covariance() = D^T D: [block][result]. Data that share blocks correlate through rows of one block.
  Eigen::MatrixXd deviations() const;
  /// Square roots of the diagonal of covariance().
  Eigen::VectorXd error() const;
  /// Value and error of one result. Both are NaN when f is not finite for all blocks or for any deletion; the error
  /// alone is NaN, and the value is plain, for a single block.
  Estimate estimate(Eigen::Index result) const;

  Eigen::Index blocks() const { return replicates_.rows(); }
  /// theta_(j): [block][result].
  const Eigen::MatrixXd& replicates() const { return replicates_; }

 private:
  Eigen::VectorXd plain_;
  Eigen::MatrixXd replicates_;
  Eigen::VectorXd fractions_;  ///< m_j / n
};

}  // namespace psflip::statistics
