#pragma once
#include <vector>

namespace psflip::laboratory {

/// Mean and variance of a series with the errors of a jackknife over blocks of consecutive values, and its integrated
/// autocorrelation time in values: 1/2 + sum over lags up to 6 tau (Madras and Sokal, J. Stat. Phys. 50, 109); its
/// error is that paper's eq. 3.19. Where more than 1000 lags are needed, means of pairs of values are the series.
struct SeriesStatistics {
  double mean = 0, mean_error = 0;
  double variance = 0, variance_error = 0;
  double tau = 0, tau_error = 0;
  int blocks = 0;
};

/// The values behind the last full block count for the autocorrelation time alone. std::invalid_argument for blocks of
/// fewer than two values.
SeriesStatistics statistics_of(const std::vector<double>& series, int blocks);

}  // namespace psflip::laboratory
