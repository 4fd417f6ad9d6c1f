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

void set_autocorrelation_time(SeriesStatistics& result, const std::vector<double>& series) {
  if (!(result.variance > 0)) return;  // all values are equal
  result.tau = 0.5;
  std::size_t window = 1;
  for (; window < series.size() && static_cast<double>(window) < 6 * result.tau; ++window) {
    double sum = 0;
    for (std::size_t i = 0; i + window < series.size(); ++i)
      sum += (series[i] - result.mean) * (series[i + window] - result.mean);
    result.tau += sum / (static_cast<double>(series.size() - window) * result.variance);
  }
  result.tau_error =
      result.tau * std::sqrt((4.0 * static_cast<double>(window) + 2) / static_cast<double>(series.size()));
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
  set_autocorrelation_time(result, series);
  return result;
}

}  // namespace psflip::laboratory
