#include "analysis/dynamics/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/models/definitions.hpp"
#include "analysis/models/primaries.hpp"
#include "analysis/statistics/autocorrelation.hpp"
#include "analysis/statistics/binning.hpp"
#include "analysis/statistics/streaming.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {
namespace {

constexpr std::size_t fewest_bins = 16;  // half of them are kept, and log2_binning wants eight

/// One series of kept bins for each sample.
using SeriesOfSamples = std::vector<std::vector<double>>;

std::vector<SeriesRow> rows_of(const SeriesOfSamples& series, const SeriesRow& common) {
  const double samples = static_cast<double>(series.size());
  std::vector<SeriesRow> rows;
  std::vector<double> squared;  // errors of the means of single samples, summed
  SeriesRow window = common;
  statistics::Moments taus;
  double tau_squared_error = 0;
  for (const std::vector<double>& one : series) {
    const auto levels = statistics::log2_binning(one);
    squared.resize(levels.size(), 0.0);
    for (std::size_t i = 0; i < levels.size(); ++i) squared[i] += levels[i].error * levels[i].error;
    if (rows.empty())
      for (const auto& level : levels) {
        rows.push_back(common);
        rows.back().bin_sweeps *= static_cast<std::int64_t>(level.bin_size);
        rows.back().bins = level.bins;
      }
    const auto found = statistics::autocorrelation(one).tau_int;
    taus.add(found.value);
    tau_squared_error += std::pow(found.error / samples, 2);
  }
  const double spacing = static_cast<double>(common.bin_sweeps);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double tau_int = autocorrelation_time(spacing, squared[i], squared[0]);
    rows[i].error = std::sqrt(squared[i]) / samples;
    // the squared error of n bins has the relative error sqrt(2 / (n - 1)) in each sample
    rows[i].tau_int = {tau_int, tau_int * std::sqrt(2 / (static_cast<double>(rows[i].bins - 1) * samples))};
  }
  window.method = "window";
  window.bins = rows[0].bins;
  window.error = rows[0].error * std::sqrt(2 * taus.mean());
  window.tau_int = {spacing * taus.mean(), spacing * std::sqrt(tau_squared_error)};
  rows.push_back(window);
  return rows;
}

/// The energy and the first two absolute moments of the order parameter.
std::vector<std::string> means_of(const io::LabelledFile& measurement) {
  if (find_preset(measurement.text("model"))->has_random_bonds()) return {"e", "q_abs", "q2"};
  return {"e", "m_abs", "m2"};
}

}  // namespace

std::vector<SeriesRow> series_table(const io::LabelledFile& measurement) {
  const Method method = method_of(measurement);
  if (method != Method::equilibrium)
    throw UserError(
        fmt::format("{} holds {} of {}, but only equilibrium has equal bins; give a measurement file of equilibrium.",
                    measurement.path.string(), name_of(method), measurement.text("model")));
  const Primaries primaries = primaries_of(measurement);
  const auto& ends = measurement.values<std::int64_t>("bin");
  if (ends.size() < fewest_bins)
    throw UserError(fmt::format("{} has {} bins, too few for a series; simulate with --bins {} or more.",
                                measurement.path.string(), ends.size(), fewest_bins));
  const auto& temperatures = measurement.values<double>("temperature");
  const std::size_t samples = io::size(measurement.axis("sample").values);
  std::vector<SeriesRow> table;
  for (std::size_t t = 0; t < temperatures.size(); ++t) {
    std::vector<Eigen::MatrixXd> kept;  // [bin] of [sample][quantity]
    for (std::size_t b = ends.size() / 2; b < ends.size(); ++b) kept.push_back(primaries.values(t, b));
    for (const std::string& name : means_of(measurement)) {
      const auto column = std::find(primaries.names.begin(), primaries.names.end(), name) - primaries.names.begin();
      if (column == std::ssize(primaries.names)) continue;
      SeriesOfSamples series(samples);
      for (const Eigen::MatrixXd& bin : kept)
        for (std::size_t s = 0; s < samples; ++s) series[s].push_back(bin(static_cast<Eigen::Index>(s), column));
      const auto rows =
          rows_of(series, {temperatures[t], name, "binning", ends[1] - ends[0], 0, statistics::unknown, {}});
      table.insert(table.end(), rows.begin(), rows.end());
    }
  }
  return table;
}

}  // namespace psflip::analysis
