#pragma once
#include <Eigen/Core>
#include <array>
#include <optional>
#include <utility>

namespace psflip::statistics {

/// Windows of a series that belong to the times (t/2, t] for t = T, T/2, T/4: half-open ranges of bins, the last window
/// first.
using Windows = std::array<std::pair<Eigen::Index, Eigen::Index>, 3>;

/// The three windows of a series of equal bins; nothing for fewer than 8 bins.
std::optional<Windows> log_windows(Eigen::Index bins);

/// Whether a series has forgotten its start: the last three logarithmic windows agree. The test is on the difference
/// of an earlier window to the last one within each block (paired), against its own standard error, with `sigmas`
/// allowed. `bins`: [block][bin], the mean of the bin in that block; `weights`: [block] samples. With fewer than
/// `fewest_blocks` blocks the error of the difference comes from the scatter of the bins of the last window instead.
/// Nothing for fewer than 8 bins.
std::optional<bool> is_equilibrated(const Eigen::MatrixXd& bins, const Eigen::VectorXd& weights, double sigmas = 3,
                                    Eigen::Index fewest_blocks = 16);

}  // namespace psflip::statistics
