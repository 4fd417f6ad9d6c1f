#include "analysis/ensemble/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/ensemble/sound_files.hpp"
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

bool Grouping::has(const std::string& name) const { return std::find(names.begin(), names.end(), name) != names.end(); }

std::size_t Grouping::index(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::out_of_range("no quantity " + name);
  return static_cast<std::size_t>(found - names.begin());
}

/// As a message quotes it.
static std::string shortened(const std::string& text) { return text.size() <= 60 ? text : text.substr(0, 60) + "..."; }

double Ensemble::sites() const { return std::pow(static_cast<double>(L()), preset().dimension); }

void keep_last_moments(Ensemble& ensemble, std::int64_t count) {
  const std::int64_t dropped = std::ssize(ensemble.moments) - count;
  if (dropped <= 0) return;
  for (std::vector<std::int64_t>* of_moments : {&ensemble.moments, &ensemble.measurements})
    if (!of_moments->empty()) of_moments->erase(of_moments->begin(), of_moments->begin() + dropped);
  for (Grouping* grouping : {&ensemble.blocks, &ensemble.packs, &ensemble.products})
    for (Eigen::MatrixXd& sums : grouping->sums) sums = sums.bottomRows(count).eval();
}

const std::vector<std::string>& identity() {
  static const std::vector<std::string> names = {
      "model",        "method",       "L",       "stream_version",   "seed", "random", "couplings", "start",
      "replicas",     "packing",      "sweeps",  "measure_interval", "J",    "h",      "p",         "exchange_interval",
      "longer_packs", "longer_times", "disorder"};
  return names;
}

void require_known_job(const io::LabelledFile& file) {
  const std::string& name = file.text("model");
  const Preset* preset = find_preset(name);
  if (preset == nullptr)
    throw UserError(fmt::format("Cannot use {}: its model {} is unknown; this program knows {}.", file.path.string(),
                                shortened(name), preset_names()));
  for (const char* text : {"random", "couplings", "start", "packing"}) file.text(text);
  for (const char* integer : {"L", "seed", "replicas", "sweeps"}) file.integer(integer);
  if (const std::string interval = interval_attribute(method_of(file)); !interval.empty()) file.integer(interval);
  if (file.integer("stream_version") != stream_version)
    throw UserError(
        fmt::format("Cannot use {}: its random numbers follow stream version {}, this program follows {}; "
                    "simulate it again with this program.",
                    file.path.string(), file.integer("stream_version"), stream_version));
  file.text("kind") == "reduced" ? require_sound_reduced(file) : require_sound_measurement(file);
}

Method method_of(const io::LabelledFile& file) {
  const std::optional<Method> method = method_in(file.attributes, *find_preset(file.text("model")));
  if (!method)
    throw UserError(fmt::format(
        "Cannot use {}: its method {} is unknown; this program knows relaxation, equilibrium and tempering.",
        file.path.string(), shortened(file.text("method"))));
  return *method;
}

}  // namespace psflip::analysis
