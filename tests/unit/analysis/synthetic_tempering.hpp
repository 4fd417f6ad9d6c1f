#pragma once
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "tests/unit/analysis/synthetic_files.hpp"
#include "tests/unit/set_names.hpp"

/// Measurement files of rfim3d whose bins hold the exact averages of a solvable model, so every derived number is
/// known.
namespace psflip::test {

/// Sums over one measurement of one set: B, F, B^2, B F, F^2, M, |M|, M^2, M^4, K, then B and F times M^2, M^4, K.
using SetValues = std::array<double, 16>;
/// N = L^3 spins that all interact with each other, B = M^2 / (2 N), in a field F = f M of strength h that depends on
/// the sample. K is such that chi_k = 1 + m^2.
struct CurieWeiss {
  std::int64_t L = 4;
  double J = 1, h = 0.05;

  double sites() const { return std::pow(static_cast<double>(L), 3); }
  static double field(std::int64_t sample) { return std::cos(0.7 * static_cast<double>(sample) + 0.2); }

  /// Exact thermal averages.
  SetValues averages(double T, std::int64_t sample) const {
    const double N = sites();
    SetValues total{};
    double weights = 0;
    for (double M = -N; M <= N; M += 2) {
      const double B = M * M / (2 * N), F = field(sample) * M, K = 1024 * 3 * N * (1 + M * M / (N * N));
      const double states = std::lgamma(N + 1) - std::lgamma((N + M) / 2 + 1) - std::lgamma((N - M) / 2 + 1);
      const double weight = std::exp(states - N * std::numbers::ln2 + (J * B + h * F) / T);
      const SetValues one = {B,           F,         B * B,
                             B * F,       F * F,     M,
                             std::abs(M), M * M,     M * M * M * M,
                             K,           B * M * M, B * M * M * M * M,
                             B * K,       F * M * M, F * M * M * M * M,
                             F * K};
      weights += weight;
      for (std::size_t i = 0; i < one.size(); ++i) total[i] += weight * one[i];
    }
    for (double& value : total) value /= weights;
    return total;
  }
};

/// Disorder averages of the solvable model over samples 0 ... 63: of functions of the thermal averages of a sample.
template <class F>
double average(const CurieWeiss& model, double T, F f) {
  double sum = 0;
  for (std::int64_t sample = 0; sample < 64; ++sample) sum += f(model.averages(T, sample)) / 64;
  return sum;
}

inline double exact_m2(const CurieWeiss& model, double T) {
  return average(model, T, [&](const SetValues& a) { return a[7]; }) / std::pow(model.sites(), 2);
}

inline double exact_U4(const CurieWeiss& model, double T) {
  const double m4 = average(model, T, [&](const SetValues& a) { return a[8]; }) / std::pow(model.sites(), 4);
  return m4 / std::pow(exact_m2(model, T), 2);
}

struct TemperingFile {
  CurieWeiss model;
  std::vector<double> temperatures = {0.8, 0.9, 1.0, 1.1};
  std::int64_t first_sample = 0, samples = 64;
  std::vector<std::int64_t> measurements = {10, 10, 20, 40, 80};  ///< in the bins
  std::int64_t rounds_per_measurement = 1;
  /// Every odd sample has as many times the measurements and attempts in each bin.
  std::int64_t times_longer = 1;
  /// Averages of a set in a bin; by default the exact ones.
  std::function<SetValues(double T, std::size_t bin, std::int64_t sample, int set)> averages;

  std::int64_t times_of(std::int64_t sample) const { return sample % 2 == 1 ? times_longer : 1; }

  /// Accepted exchanges of 100 attempts.
  static std::int32_t accepted(std::int64_t pair, std::int64_t sample) {
    return static_cast<std::int32_t>(20 + 10 * pair + sample % 3);
  }

  /// Of ten measurements in a slot, those with a configuration that had been at either end last, in even and odd
  /// samples.
  static constexpr std::int32_t cold_of_ten[2][4] = {{10, 6, 2, 0}, {10, 4, 1, 0}},
                                hot_of_ten[2][4] = {{0, 2, 6, 10}, {0, 4, 4, 5}};

  io::LabelledFile make() const {
    SyntheticJob job;
    job.model = "rfim3d";
    job.L = model.L;
    job.replicas = 2;
    job.random = "independent";
    job.first_sample = first_sample;
    job.samples = samples;
    job.temperatures = temperatures;
    job.moments.clear();
    std::int64_t sweeps = 0;
    const std::int64_t interval = 10 * rounds_per_measurement;
    for (const std::int64_t count : measurements) job.moments.push_back(sweeps += interval * count);
    io::LabelledFile file = synthetic_header(job);
    file.attributes["J"] = model.J;
    file.attributes["h"] = model.h;
    file.attributes["exchange_interval"] = std::int64_t{10};
    if (rounds_per_measurement > 1) file.attributes["measure_interval"] = interval;
    file.axes.push_back({"set", std::vector<std::int64_t>{0, 1}, "", ""});
    file.datasets.push_back({"measurements", {"bin"}, measurements, "", ""});
    add_sums(file);
    add_exchanges(file);
    if (temperatures.size() == 4) add_flow(file);
    if (times_longer > 1) {
      file.attributes["longer_packs"] = std::int64_t{1};
      file.attributes["longer_times"] = times_longer;
      std::vector<std::int64_t> times;
      for (std::int64_t sample = first_sample; sample < first_sample + samples; ++sample)
        times.push_back(times_of(sample));
      file.datasets.push_back({"times_longer", {"sample"}, times, "", ""});
    }
    return file;
  }

 private:
  void add_sums(io::LabelledFile& file) const {
    std::array<std::vector<double>, 16> columns;
    std::array<std::vector<double>, 5> pairs;
    for (const double T : temperatures)
      for (std::size_t bin = 0; bin < measurements.size(); ++bin)
        for (std::int64_t sample = first_sample; sample < first_sample + samples; ++sample) {
          const auto count = static_cast<double>(measurements[bin] * times_of(sample));
          std::array<SetValues, 2> sets;
          for (int set = 0; set < 2; ++set) {
            sets[set] = averages ? averages(T, bin, sample, set) : model.averages(T, sample);
            for (std::size_t i = 0; i < 16; ++i) columns[i].push_back(count * sets[set][i]);
          }
          const double product = sets[0][5] * sets[1][5], N = model.sites();
          // Overlaps as if every spin had the mean of its sample: q = m m'.
          const std::array<double, 5> both = {product / N, product * product / (N * N), std::pow(product / N, 4),
                                              product, 1024 * 3 * product / N};
          for (std::size_t i = 0; i < 5; ++i) pairs[i].push_back(count * both[i]);
        }
    for (std::size_t i = 0; i < 16; ++i)
      file.datasets.push_back({set_names[i], {"temperature", "bin", "sample", "set"}, columns[i], "", ""});
    const char* names[] = {"overlap", "overlap_2", "overlap_4", "magnetization_product", "magnetization_k_product"};
    for (std::size_t i = 0; i < 5; ++i)
      file.datasets.push_back({names[i], {"temperature", "bin", "sample"}, pairs[i], "", ""});
  }

  /// Every bin has 100 attempts; a sample makes 1 + sample % 2 round trips in the last bin.
  void add_exchanges(io::LabelledFile& file) const {
    const std::size_t pairs = temperatures.size() - 1, bins = measurements.size();
    std::vector<std::int64_t> attempts(bins * pairs, 100);
    if (pairs > 1 && measurements[0] == 1) attempts[1] = 0;  // a first bin of one round tries even pairs only
    std::vector<std::int64_t> ids;
    std::vector<std::int32_t> made, trips;
    for (std::size_t pair = 0; pair < pairs; ++pair) ids.push_back(static_cast<std::int64_t>(pair));
    for (std::size_t bin = 0; bin < bins; ++bin) {
      for (const std::int64_t pair : ids)
        for (std::int64_t sample = first_sample; sample < first_sample + samples; ++sample)
          made.insert(made.end(), 2,
                      attempts[bin * pairs + static_cast<std::size_t>(pair)] > 0
                          ? static_cast<std::int32_t>(times_of(sample)) * accepted(pair, sample)
                          : 0);
      for (std::int64_t sample = first_sample; sample < first_sample + samples; ++sample)
        trips.insert(trips.end(), 2,
                     bin + 1 == bins ? static_cast<std::int32_t>((1 + sample % 2) * times_of(sample)) : 0);
    }
    file.axes.push_back({"exchange_pair", ids, "", ""});
    file.datasets.push_back({"exchange_attempts", {"bin", "exchange_pair"}, attempts, "", ""});
    file.datasets.push_back({"exchange_accepted", {"bin", "exchange_pair", "sample", "set"}, made, "", ""});
    file.datasets.push_back({"round_trips", {"bin", "sample", "set"}, trips, "", ""});
  }

  void add_flow(io::LabelledFile& file) const {
    std::vector<std::int32_t> cold, hot;
    for (std::size_t slot = 0; slot < 4; ++slot)
      for (const std::int64_t count : measurements)
        for (std::int64_t sample = first_sample; sample < first_sample + samples; ++sample) {
          const auto tens = static_cast<std::int32_t>(count * times_of(sample) / 10);
          cold.insert(cold.end(), 2, tens * cold_of_ten[sample % 2][slot]);
          hot.insert(hot.end(), 2, tens * hot_of_ten[sample % 2][slot]);
        }
    file.datasets.push_back({"flow_cold", {"temperature", "bin", "sample", "set"}, cold, "", ""});
    file.datasets.push_back({"flow_hot", {"temperature", "bin", "sample", "set"}, hot, "", ""});
  }
};

/// Two sets whose time averages of a quantity, m if no other is given, scatter with the variance `part` of that of
/// single measurements. `column` and `square` are the positions of the quantity and of its square in SetValues.
inline TemperingFile scattered(double part, std::size_t column = 5, std::size_t square = 7) {
  TemperingFile job;
  job.averages = [=, model = job.model](double T, std::size_t, std::int64_t sample, int set) {
    SetValues values = model.averages(T, sample);
    const double variance = values[square] - values[column] * values[column];
    values[column] += (set == 0 ? 1 : -1) * std::sqrt(part * variance / 2);
    return values;
  };
  return job;
}

}  // namespace psflip::test
