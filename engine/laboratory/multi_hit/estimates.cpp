#include <cmath>
#include <stdexcept>

#include "engine/laboratory/multi_hit/multi_hit.hpp"

namespace psflip::laboratory {

namespace {

struct Sums {
  double x = 0, x2 = 0, count = 0;

  void add(double value) {
    x += value;
    x2 += value * value;
    ++count;
  }
  Sums without(const Sums& block) const { return {x - block.x, x2 - block.x2, count - block.count}; }
  double mean() const { return x / count; }
  double variance() const { return x2 / count - mean() * mean(); }
};

/// Error of a jackknife from the values without each block.
double jackknife_error(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares * (n - 1) / n);
}

constexpr std::size_t most_lags = 1000;  ///< of one sum; longer ones take pairs of measurements together

/// Integrated autocorrelation time in measurements, summed over `window` lags up to 6 tau, or most_lags.
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
  double tau = 0, error = 0;  ///< in measurements
};

/// The error of the mean is the same for the series and for means of b measurements: tau variance is b times tau
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

/// Of one series, in measurements.
struct SeriesEstimate {
  double mean = 0, mean_error = 0, variance = 0, variance_error = 0;
  AutocorrelationTime time;
};

SeriesEstimate estimate_of(const std::vector<double>& series, int blocks) {
  const std::size_t length = series.size() / static_cast<std::size_t>(blocks);
  if (length < 2) throw std::invalid_argument("fewer than two measurements in a block");
  // Differences to the first value, so that the variance is not the difference of large numbers.
  const double origin = series.front();
  std::vector<Sums> of_block(static_cast<std::size_t>(blocks));
  Sums all;
  for (std::size_t i = 0; i < length * of_block.size(); ++i) of_block[i / length].add(series[i] - origin);
  for (const Sums& block : of_block) all = {all.x + block.x, all.x2 + block.x2, all.count + block.count};
  std::vector<double> means, variances;
  for (const Sums& block : of_block) {
    const Sums rest = all.without(block);
    means.push_back(rest.mean());
    variances.push_back(rest.variance());
  }
  SeriesEstimate result;
  result.mean = origin + all.mean();
  result.mean_error = jackknife_error(means);
  result.variance = all.variance();
  result.variance_error = jackknife_error(variances);
  result.time = autocorrelation_time(series, result.mean);
  return result;
}

}  // namespace

MultiHitEstimates estimates_of(const MultiHitSeries& series, const MultiHitPlan& plan, int blocks) {
  const SeriesEstimate e = estimate_of(series.energy, blocks), m = estimate_of(series.magnetization, blocks);
  const double scale = plan.beta * plan.beta * std::pow(plan.L, plan.preset->dimension);
  const double sweeps = series.sweeps_between;
  MultiHitEstimates result;
  result.e = e.mean;
  result.e_error = e.mean_error;
  result.C = scale * e.variance;
  result.C_error = scale * e.variance_error;
  result.tau = sweeps * e.time.tau;
  result.tau_error = sweeps * e.time.error;
  result.m = m.mean;
  result.m_error = m.mean_error;
  result.tau_m = sweeps * m.time.tau;
  result.tau_m_error = sweeps * m.time.error;
  result.blocks = blocks;
  return result;
}

}  // namespace psflip::laboratory
