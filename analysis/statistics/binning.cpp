#include "analysis/statistics/binning.hpp"

#include <cmath>

#include "analysis/statistics/streaming.hpp"

namespace psflip::statistics {
namespace {

double squared_error_of_mean(const std::vector<double>& values) {
  Moments moments;
  for (const double value : values) moments.add(value);
  return moments.squared_error();
}

}  // namespace

std::vector<BinningLevel> log2_binning(std::span<const double> series) {
  constexpr std::size_t fewest_bins = 8;
  std::vector<BinningLevel> levels;
  std::vector<double> bins(series.begin(), series.end());
  double first = 0;
  for (std::size_t bin_size = 1; bins.size() >= fewest_bins; bin_size *= 2) {
    const double squared = squared_error_of_mean(bins);
    if (levels.empty()) first = squared;
    levels.push_back({bin_size, bins.size(), std::sqrt(squared), 0.5 * squared / first});
    for (std::size_t i = 0; i + 1 < bins.size(); i += 2) bins[i / 2] = 0.5 * (bins[i] + bins[i + 1]);
    bins.resize(bins.size() / 2);
  }
  return levels;
}

}  // namespace psflip::statistics
