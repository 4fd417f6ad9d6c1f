#include "engine/laboratory/series/statistics.hpp"

#include <cmath>
#include <stdexcept>

namespace psflip::laboratory {

namespace {

/// Powers of the values of a block.
struct PowerSums {
  double first = 0, second = 0, count = 0;

  void add(double value) {
    first += value;
    second += value * value;
    ++count;
  }
  PowerSums plus(const PowerSums& o, double sign) const {
    return {first + sign * o.first, second + sign * o.second, count + sign * o.count};
  }
  double mean() const { return first / count; }
  double variance() const { return second / count - mean() * mean(); }
};

/// From the values without each block.
double jackknife_error_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares * (n - 1) / n);
}

constexpr std::size_t most_lags = 1000;  ///< of one sum; longer ones take pairs of values together

/// Integrated autocorrelation time in values, summed over `window` lags up to 6 tau, or most_lags.
double integrated_time(const std::vector<double>& series, double mean, double variance, std::size_t& window) {
  double tau = 0.5;
  for (window = 1; window < series.size() && static_cast<double>(window) < 6 * tau && window < most_lags; ++window) {
    double sum = 0;
    for (std::size_t i = 0; i + window < series.size(); ++i) sum += (series[i] - mean) * (series[i + window] - mean);
    tau += sum / (static_cast<double>(series.size() - window) * variance);
  }
  return tau;
}

double variance_of(const std::vector<double>& series, double mean) {
  double sum = 0;
  for (const double value : series) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(series.size());
}

std::vector<double> means_of_pairs(const std::vector<double>& series) {
  std::vector<double> means(series.size() / 2);
  for (std::size_t i = 0; i < means.size(); ++i) means[i] = 0.5 * (series[2 * i] + series[2 * i + 1]);
  return means;
}

struct AutocorrelationTime {
  double tau = 0, error = 0;  ///< in values
};

/// The error of the mean is the same for the series and for means of b values: tau variance is b times tau
/// variance of these means. So b is doubled until most_lags lags are enough.
AutocorrelationTime autocorrelation_time(std::vector<double> series, double mean) {
  const double variance = variance_of(series, mean);
  if (!(variance > 0)) return {};  // all values are equal
  for (double scale = 1;; scale *= 2, series = means_of_pairs(series)) {
    const double own = variance_of(series, mean);
    std::size_t window = 0;
    const double tau = integrated_time(series, mean, own, window) * scale * own / variance;
    if (window < most_lags || series.size() < 2 * most_lags)
      return {tau, tau * std::sqrt((4.0 * static_cast<double>(window) + 2) / static_cast<double>(series.size()))};
  }
}

}  // namespace

SeriesStatistics statistics_of(const std::vector<double>& series, int blocks) {
  const std::size_t length = blocks > 0 ? series.size() / static_cast<std::size_t>(blocks) : 0;
  if (length < 2) throw std::invalid_argument("fewer than two values in a block");
  // Differences to the first value, so that the variance is not the difference of large numbers.
  const double origin = series.front();
  std::vector<PowerSums> of_block(static_cast<std::size_t>(blocks));
  PowerSums all;
  for (std::size_t i = 0; i < length * of_block.size(); ++i) of_block[i / length].add(series[i] - origin);
  for (const PowerSums& block : of_block) all = all.plus(block, 1);
  std::vector<double> means, variances;
  for (const PowerSums& block : of_block) {
    const PowerSums rest = all.plus(block, -1);
    means.push_back(rest.mean());
    variances.push_back(rest.variance());
  }
  SeriesStatistics result;
  result.mean = origin + all.mean();
  result.mean_error = jackknife_error_of(means);
  result.variance = all.variance();
  result.variance_error = jackknife_error_of(variances);
  result.blocks = blocks;
  const AutocorrelationTime time = autocorrelation_time(series, result.mean);
  result.tau = time.tau;
  result.tau_error = time.error;
  return result;
}

}  // namespace psflip::laboratory
