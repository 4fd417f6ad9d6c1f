#include "analysis/ensemble/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "engine/core/version.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {

std::vector<SampleRange> joined(std::vector<SampleRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<SampleRange> result;
  for (const SampleRange& range : ranges) {
    if (!result.empty() && result.back().first + result.back().count == range.first)
      result.back().count += range.count;
    else
      result.push_back(range);
  }
  return result;
}

std::size_t Grouping::index(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::out_of_range("no quantity " + name);
  return static_cast<std::size_t>(found - names.begin());
}

double Ensemble::sites() const { return std::pow(static_cast<double>(L()), dimension()); }

const std::vector<std::string>& identity() {
  static const std::vector<std::string> names = {
      "model",   "L",      "stream_version",   "seed", "random", "couplings",         "start",        "replicas",
      "packing", "sweeps", "measure_interval", "J",    "h",      "exchange_interval", "longer_packs", "longer_times"};
  return names;
}

void require_known_job(const io::LabelledFile& file) {
  const std::string& model = file.text("model");
  if (model != "ea3d" && model != "ising2d" && model != "rfim3d")
    throw UserError(fmt::format("Cannot use {}: its model {} is unknown; this program knows ea3d, ising2d and rfim3d.",
                                file.path.string(), model));
  for (const char* name : {"random", "couplings", "start", "packing"}) file.text(name);
  for (const char* name : {"L", "seed", "replicas", "sweeps"}) file.integer(name);
  if (model == "ising2d") file.integer("measure_interval");
  if (model == "rfim3d") file.integer("exchange_interval");
  if (file.integer("stream_version") != stream_version)
    throw UserError(
        fmt::format("Cannot use {}: its random numbers follow stream version {}, this program follows {}; "
                    "simulate it again with this program.",
                    file.path.string(), file.integer("stream_version"), stream_version));
}

}  // namespace psflip::analysis
