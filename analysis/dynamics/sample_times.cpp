#include "analysis/dynamics/sample_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/ensemble/fields.hpp"
#include "analysis/models/definitions.hpp"
#include "analysis/models/quantities/slice.hpp"
#include "analysis/models/quantities/tables.hpp"
#include "analysis/statistics/estimate.hpp"

namespace psflip::analysis {
namespace {

/// A variance below this part of the mean square is a rounding error.
constexpr double least_variance = 1e-12;

constexpr double bins_in_decade = 10;

/// The primary quantities that make an autocorrelation time.
struct Scatter {
  const char* name;
  primary::Id gap, square, product;
};

std::vector<Scatter> scatters(const Preset& preset) {
  using namespace primary;
  const Scatter energy{"tau_int_e", gap_e, e_2, e_x_e};
  if (preset.has_random_bonds()) return {energy, {"tau_int_q2", gap_q2, q4, q2_q2}};
  return {energy, {"tau_int_m", gap_m, m2, m_m}};
}

/// A measurement file of tempering with the positions of its slots and its last bin.
struct Run {
  const io::LabelledFile& file;
  const Preset& preset;
  std::size_t slots, last_bin;
  double bin_sweeps;
  Eigen::ArrayXd times_longer;  ///< [sample]

  Eigen::ArrayXd lengths() const { return bin_sweeps * times_longer; }
};

Run run_of(const io::LabelledFile& file) {
  const Preset& preset = *find_preset(file.text("model"));
  if (const Method method = method_of(file); method != Method::tempering)
    throw UserError(
        fmt::format("{} holds {} of {}, but times of single samples are those of tempering; give measurement files of "
                    "tempering.",
                    file.path.string(), name_of(method), preset.name));
  const auto& ends = file.values<std::int64_t>("bin");
  if (ends.empty() || io::size(file.axis("sample").values) == 0 || io::size(file.axis("temperature").values) == 0)
    throw UserError(
        fmt::format("Cannot use {}: it holds no measurements; simulate it again with samples, temperatures "
                    "and sweeps.",
                    file.path.string()));
  const std::size_t last = ends.size() - 1;
  const auto sweeps = static_cast<double>(ends[last] - (last > 0 ? ends[last - 1] : 0));
  return {file, preset, io::size(file.axis("temperature").values), last, sweeps, Slice(file, 0, last).times_longer()};
}

SampleTimes times_of(const Run& run, const std::string& quantity, const Eigen::ArrayXd& values,
                     const std::vector<bool>& bounds) {
  const auto& ids = run.file.values<std::int64_t>("sample");
  const Eigen::ArrayXd lengths = run.lengths();
  SampleTimes times{quantity, {}};
  for (std::size_t s = 0; s < ids.size(); ++s) {
    const auto i = static_cast<Eigen::Index>(s);
    times.samples.push_back({ids[s], lengths[i], values[i], bounds[s]});
  }
  return times;
}

std::optional<SampleTimes> round_trip_times(const Run& run) {
  if (run.slots < 2 || !run.file.has_dataset("round_trips")) return {};
  const auto& trips = field<std::int32_t>(run.file, "round_trips", {"bin", "sample", "set"});
  const auto samples = static_cast<std::size_t>(run.times_longer.size());
  const std::size_t sets = io::size(run.file.axis("set").values);
  Eigen::ArrayXd values = run.lengths() * static_cast<double>(run.slots * sets);
  std::vector<bool> bounds(samples);
  for (std::size_t s = 0; s < samples; ++s) {
    const auto first = trips.begin() + static_cast<std::ptrdiff_t>((run.last_bin * samples + s) * sets);
    const auto made = std::accumulate(first, first + static_cast<std::ptrdiff_t>(sets), std::int64_t{0});
    bounds[s] = made == 0;
    values[static_cast<Eigen::Index>(s)] /= static_cast<double>(std::max<std::int64_t>(made, 1));
  }
  return times_of(run, "round_trip_time", values, bounds);
}

/// Nothing where the file has too few sets or lacks a dataset.
std::optional<SampleTimes> autocorrelation_times(const Run& run, const Scatter& scatter) {
  const std::vector<Quantity> table = quantities_of(Method::tempering, run.preset);
  const auto measure = [&](primary::Id id, const Slice& slice) {
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const Quantity& one) { return one.name == primary_names[id]; });
    return found->measurement(slice);
  };
  const Eigen::Index samples = run.times_longer.size();
  const Eigen::ArrayXd lengths = run.lengths();
  Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(samples), slots = Eigen::ArrayXd::Zero(samples);
  try {
    for (std::size_t t = 0; t < run.slots; ++t) {
      const Slice slice(run.file, t, run.last_bin);
      const Eigen::ArrayXd gap = measure(scatter.gap, slice), square = measure(scatter.square, slice);
      const Eigen::ArrayXd variance = square - measure(scatter.product, slice);
      for (Eigen::Index s = 0; s < samples; ++s)
        if (variance[s] > least_variance * std::abs(square[s])) {
          sum[s] += autocorrelation_time(lengths[s], gap[s], variance[s]);
          ++slots[s];
        }
    }
  } catch (const NotMeasured&) {
    return {};
  }
  return times_of(run, scatter.name, sum / slots, std::vector<bool>(static_cast<std::size_t>(samples)));
}

std::vector<double> known(const SampleTimes& times) {
  std::vector<double> values;
  for (const SampleTime& one : times.samples)
    if (!std::isnan(one.value)) values.push_back(one.value);
  std::sort(values.begin(), values.end());
  return values;
}

/// The number of the histogram bin of a time.
std::int64_t bin_of(double time) { return static_cast<std::int64_t>(std::floor(bins_in_decade * std::log10(time))); }

}  // namespace

std::vector<SampleTimes> sample_times(const io::LabelledFile& measurement) {
  const Run run = run_of(measurement);
  std::vector<SampleTimes> all;
  if (auto trips = round_trip_times(run)) all.push_back(std::move(*trips));
  for (const Scatter& scatter : scatters(run.preset))
    if (auto times = autocorrelation_times(run, scatter)) all.push_back(std::move(*times));
  return all;
}

void JoinedSampleTimes::add(const io::LabelledFile& measurement) {
  std::vector<SampleTimes> more = sample_times(measurement);
  const auto refuse = [&](const std::string& why) {
    throw UserError(fmt::format("Cannot join {} and {}: {}.", path_, measurement.path.string(), why));
  };
  const auto value = [](const io::Attributes& all, const std::string& name) {
    const auto found = all.find(name);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  };
  const auto& temperatures = measurement.values<double>("temperature");
  if (times_.empty()) {
    path_ = measurement.path.string();
    attributes_ = measurement.attributes;
    temperatures_ = temperatures;
    times_ = std::move(more);
    return;
  }
  for (const std::string& name : identity())
    // How many samples went on is a property of each file.
    if (name != "longer_packs" && name != "longer_times" &&
        value(attributes_, name) != value(measurement.attributes, name))
      refuse(fmt::format("their {} differs; give files of one job with different samples", name));
  if (temperatures_ != temperatures) refuse("their temperatures differ; give files of one grid");
  for (std::size_t q = 0; q < times_.size(); ++q) {
    if (more.size() != times_.size() || more[q].quantity != times_[q].quantity)
      refuse("only one of them has all measurements; give files of one version");
    std::vector<SampleTime>& mine = times_[q].samples;
    mine.insert(mine.end(), more[q].samples.begin(), more[q].samples.end());
    std::sort(mine.begin(), mine.end(), [](const auto& a, const auto& b) { return a.sample < b.sample; });
    const auto twice =
        std::adjacent_find(mine.begin(), mine.end(), [](const auto& a, const auto& b) { return a.sample == b.sample; });
    if (twice != mine.end()) refuse(fmt::format("both hold the sample {}; leave one of them out", twice->sample));
  }
}

std::vector<SampleTime> slowest(const SampleTimes& times, std::size_t count) {
  std::vector<SampleTime> all;
  for (const SampleTime& one : times.samples)
    if (!std::isnan(one.value)) all.push_back(one);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
  all.resize(std::min(count, all.size()));
  return all;
}

double quantile(const SampleTimes& times, double part) {
  const std::vector<double> values = known(times);
  if (values.empty()) return statistics::unknown;
  const double rank = part * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(rank), above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], rank - static_cast<double>(below));
}

std::vector<TimeBin> histogram(const SampleTimes& times) {
  std::vector<TimeBin> bins;
  const std::vector<double> values = known(times);
  const auto positive = std::upper_bound(values.begin(), values.end(), 0.0);
  if (positive == values.end()) return bins;
  const std::int64_t first = bin_of(*positive), last = bin_of(values.back());
  for (std::int64_t bin = first; bin <= last; ++bin)
    bins.push_back({static_cast<double>(bin) / bins_in_decade, static_cast<double>(bin + 1) / bins_in_decade, 0, 0});
  for (const SampleTime& one : times.samples) {
    if (!(one.value > 0)) continue;
    TimeBin& bin = bins[static_cast<std::size_t>(bin_of(one.value) - first)];
    ++bin.samples;
    bin.lower_bounds += one.lower_bound ? 1 : 0;
  }
  return bins;
}

}  // namespace psflip::analysis
