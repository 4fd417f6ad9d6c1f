#pragma once
#include <vector>

/// Compares two series that were measured on the same independent blocks.
namespace psflip::laboratory {

/// Paired differences of one quantity at several times, and whether all of them together are compatible with zero.
struct Comparison {
  std::vector<double> mean, reference;    ///< [time], means over the blocks
  std::vector<double> difference, error;  ///< [time], of the paired differences; the error is a standard error
  std::vector<double> pull;               ///< [time], difference / error; 0 where both are 0
  /// Hotelling's T^2 = d C^-1 d with the covariance C of the mean differences between the times (Ann. Math. Stat. 2,
  /// 360 (1931)): a chi^2 whose covariance is estimated from the blocks. Times whose differences are the same in all
  /// blocks or that the earlier times determine are left out.
  double chi2 = 0;
  int degrees = 0;  ///< times that are not left out
  double probability =
      1;  ///< of a larger chi2 for n blocks: (n - k) chi2 / (k (n - 1)) has the distribution F(k, n - k)
  double largest_pull = 0;  ///< of all times, with its sign
  double bonferroni = 1;    ///< probability of its size at one time (Student's t) times the number of times, at most 1
};

/// [block][time] of both. Throws std::invalid_argument unless there are more blocks than times, and two at least.
Comparison compare(const std::vector<std::vector<double>>& blocks, const std::vector<std::vector<double>>& reference);

}  // namespace psflip::laboratory
