#include <cmath>
#include <stdexcept>

#include "engine/laboratory/multi_hit/multi_hit.hpp"

namespace psflip::laboratory {

namespace {

struct Sums {
  double e = 0, e2 = 0, count = 0;

  void add(double energy) {
    e += energy;
    e2 += energy * energy;
    ++count;
  }
  Sums without(const Sums& block) const { return {e - block.e, e2 - block.e2, count - block.count}; }
  double mean() const { return e / count; }
  double variance() const { return e2 / count - mean() * mean(); }
};

/// Error of a jackknife from the values without each block.
double jackknife_error(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares * (n - 1) / n);
}

/// Integrated autocorrelation time in measurements, window 6 tau.
double integrated_time(const std::vector<double>& energy, double mean, double variance, std::size_t& window) {
  double tau = 0.5;
  for (window = 1; window < energy.size() && static_cast<double>(window) < 6 * tau; ++window) {
    double sum = 0;
    for (std::size_t i = 0; i + window < energy.size(); ++i) sum += (energy[i] - mean) * (energy[i + window] - mean);
    tau += sum / (static_cast<double>(energy.size() - window) * variance);
  }
  return tau;
}

}  // namespace

EnergyEstimates estimates_of(const EnergySeries& series, const MultiHitPlan& plan, int blocks) {
  const std::size_t length = series.energy.size() / static_cast<std::size_t>(blocks);
  if (length < 2) throw std::invalid_argument("fewer than two measurements in a block");
  // Differences to the first energy, so that the variance is not the difference of large numbers.
  const double origin = series.energy.front();
  std::vector<Sums> of_block(static_cast<std::size_t>(blocks));
  Sums all;
  for (std::size_t i = 0; i < length * of_block.size(); ++i) of_block[i / length].add(series.energy[i] - origin);
  for (const Sums& block : of_block) all = {all.e + block.e, all.e2 + block.e2, all.count + block.count};
  const double scale = plan.beta * plan.beta * std::pow(plan.L, plan.preset->dimension);
  std::vector<double> e, C;
  for (const Sums& block : of_block) {
    const Sums rest = all.without(block);
    e.push_back(rest.mean());
    C.push_back(scale * rest.variance());
  }
  EnergyEstimates result;
  result.e = origin + all.mean();
  result.e_error = jackknife_error(e);
  result.C = scale * all.variance();
  result.C_error = jackknife_error(C);
  result.blocks = blocks;
  std::size_t window = 0;
  const double tau = integrated_time(series.energy, result.e, all.variance(), window);
  result.tau = tau * series.sweeps_between;
  result.tau_error =
      result.tau * std::sqrt((4.0 * static_cast<double>(window) + 2) / static_cast<double>(series.energy.size()));
  return result;
}

}  // namespace psflip::laboratory
