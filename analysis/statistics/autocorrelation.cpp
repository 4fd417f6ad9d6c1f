#include "analysis/statistics/autocorrelation.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "analysis/statistics/streaming.hpp"

namespace psflip::statistics {

Autocorrelation autocorrelation(std::span<const double> series, double c) {
  const std::size_t n = series.size();
  Moments moments;
  for (const double value : series) moments.add(value);
  std::vector<double> deviations(series.begin(), series.end());
  for (double& value : deviations) value -= moments.mean();
  const auto covariance = [&](std::size_t lag) {
    return std::inner_product(deviations.begin() + static_cast<std::ptrdiff_t>(lag), deviations.end(),
                              deviations.begin(), 0.0) /
           static_cast<double>(n - lag);
  };
  const double variance = n > 0 ? covariance(0) : 0;
  if (!(variance > 0)) return {{}, 0};
  double tau = 0.5;
  for (std::size_t window = 1; window < n / 2; ++window) {
    tau += covariance(window) / variance;
    if (static_cast<double>(window) >= c * tau) {
      const double relative = std::sqrt(2 * (2 * static_cast<double>(window) + 1) / static_cast<double>(n));
      return {{tau, tau * relative}, window};
    }
  }
  return {{}, 0};
}

}  // namespace psflip::statistics
