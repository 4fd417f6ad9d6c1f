#pragma once
#include <cstddef>
#include <span>

#include "analysis/statistics/estimate.hpp"

namespace psflip::statistics {

/// Integrated autocorrelation time in the convention tau_int = 1/2 + sum_{t>=1} rho(t): white noise has 1/2, and the
/// variance of the mean of n values is 2 tau_int var / n.
struct Autocorrelation {
  Estimate tau_int;    ///< in units of the spacing of the series
  std::size_t window;  ///< W, the last lag in the sum
};

/// Madras and Sokal, J. Stat. Phys. 50 (1988) 109: the sum runs to the smallest W >= c tau_int(W); the error is
/// tau_int sqrt(2 (2 W + 1) / n). NaN when no window below n / 2 fulfils the condition, or when the series is constant.
Autocorrelation autocorrelation(std::span<const double> series, double c = 6);

}  // namespace psflip::statistics
