#include "analysis/statistics/equilibration.hpp"

#include <cmath>

#include "analysis/statistics/jackknife.hpp"
#include "analysis/statistics/streaming.hpp"

namespace psflip::statistics {
namespace {

using Range = std::pair<Eigen::Index, Eigen::Index>;

Eigen::VectorXd window_means(const Eigen::MatrixXd& bins, const Range& range) {
  return bins.middleCols(range.first, range.second - range.first).rowwise().mean();
}

/// Standard error of the mean of a bin over all blocks and of all bins in the last window, as if bins were independent.
double error_from_bins(const Eigen::MatrixXd& bins, const Range& window, const Range& last) {
  Moments tail;
  for (Eigen::Index bin = last.first; bin < last.second; ++bin)
    for (const double value : bins.col(bin)) tail.add(value);
  const auto length = [&](const Range& range) {
    return static_cast<double>((range.second - range.first) * bins.rows());
  };
  return std::sqrt(tail.variance() * (1 / length(window) + 1 / length(last)));
}

bool agrees(const Eigen::MatrixXd& bins, const Eigen::VectorXd& weights, const Range& window, const Range& last,
            double sigmas, bool enough_blocks) {
  const Eigen::VectorXd difference = window_means(bins, window) - window_means(bins, last);
  const Blocks blocks{difference.cwiseProduct(weights), weights};
  const Jackknife jackknife(blocks, [](const Eigen::VectorXd& means) { return means; });
  const double error = enough_blocks ? jackknife.error()[0] : error_from_bins(bins, window, last);
  return std::abs(jackknife.plain()[0]) <= sigmas * error;
}

}  // namespace

std::optional<Windows> log_windows(Eigen::Index bins) {
  if (bins < 8) return std::nullopt;
  return Windows{{{bins / 2, bins}, {bins / 4, bins / 2}, {bins / 8, bins / 4}}};
}

std::optional<bool> is_equilibrated(const Eigen::MatrixXd& bins, const Eigen::VectorXd& weights, double sigmas,
                                    Eigen::Index fewest_blocks) {
  const auto windows = log_windows(bins.cols());
  if (!windows) return std::nullopt;
  const auto& [last, middle, early] = *windows;
  const bool enough = bins.rows() >= fewest_blocks;
  return agrees(bins, weights, middle, last, sigmas, enough) && agrees(bins, weights, early, last, sigmas, enough);
}

}  // namespace psflip::statistics
