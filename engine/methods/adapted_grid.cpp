#include "engine/methods/adapted_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace psflip {

namespace {

/// x with erfc(x) = rate, 0 < rate < 1, by bisection.
double inverse_erfc(double rate) {
  double low = 0, high = 28;  // erfc(28) is below the smallest number
  while (true) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    (std::erfc(middle) > rate ? low : high) = middle;
  }
}

/// A temperature as people write it. Temperatures enter the random numbers bit by bit; the last bits of erfc() and of
/// divisions differ between machines and must not.
double rounded(double T) { return std::round(T * 1e5) / 1e5; }

}  // namespace

double GridTrial::lowest_rate() const { return *std::min_element(rates.begin(), rates.end()); }

std::vector<double> equally_spaced(double low, double high, std::size_t slots) {
  std::vector<double> T;
  const auto last = static_cast<double>(slots - 1);
  for (std::size_t k = 0; k < slots; ++k)
    T.push_back(rounded((low * (last - static_cast<double>(k)) + high * static_cast<double>(k)) / last));
  T.front() = low;
  T.back() = high;
  return T;
}

std::vector<double> with_midpoints(const GridTrial& trial, std::size_t insertions) {
  std::vector<std::size_t> intervals(trial.rates.size());
  std::iota(intervals.begin(), intervals.end(), std::size_t{0});
  std::stable_sort(intervals.begin(), intervals.end(),
                   [&](std::size_t a, std::size_t b) { return trial.rates[a] < trial.rates[b]; });
  std::vector<double> T = trial.temperatures;
  for (std::size_t i = 0; i < std::min(insertions, intervals.size()); ++i)
    T.push_back((trial.temperatures[intervals[i]] + trial.temperatures[intervals[i] + 1]) / 2);
  std::sort(T.begin(), T.end());
  return T;
}

std::vector<double> with_equal_rates(const GridTrial& trial, double attempts) {
  const std::vector<double>& old = trial.temperatures;
  std::vector<double> end = {0};  // length from the first slot to each
  for (const double rate : trial.rates)
    end.push_back(end.back() + inverse_erfc(std::clamp(rate, 0.5 / attempts, 1 - 0.5 / attempts)));
  std::vector<double> T = {old.front()};
  std::size_t interval = 0;
  for (std::size_t k = 1; k + 1 < old.size(); ++k) {
    const double length = end.back() * static_cast<double>(k) / static_cast<double>(old.size() - 1);
    while (end[interval + 1] < length) ++interval;
    const double part = (length - end[interval]) / (end[interval + 1] - end[interval]);
    T.push_back(rounded(1 / ((1 - part) / old[interval] + part / old[interval + 1])));
  }
  T.push_back(old.back());
  return T;
}

}  // namespace psflip
