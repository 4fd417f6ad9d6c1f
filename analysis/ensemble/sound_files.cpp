#include "analysis/ensemble/sound_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/ensemble/fields.hpp"
#include "analysis/ensemble/sound_values.hpp"

namespace psflip::analysis {
namespace {

using Integers = std::vector<std::int64_t>;

constexpr std::int64_t most_id = std::int64_t{1} << 45, most_sweeps = std::int64_t{1} << 53;

/// What every check of a file throws: its name, the problem, the remedy.
void require(const io::LabelledFile& file, bool is_so, const std::string& otherwise) {
  if (!is_so) throw UserError(fmt::format("Cannot use {}: {}; make the file again.", file.path.string(), otherwise));
}

void require_between(const io::LabelledFile& file, const char* attribute, std::int64_t least, std::int64_t most) {
  const std::int64_t value = file.integer(attribute);
  require(file, least <= value && value <= most,
          fmt::format("its attribute {} is {}, which does not lie between {} and {}", attribute, value, least, most));
}

void require_increasing(const io::LabelledFile& file, const std::string& name, std::int64_t least, std::int64_t most) {
  const auto& values = file.values<std::int64_t>(name);
  require(file, std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end(),
          fmt::format("its values of {} do not increase", name));
  require(file, values.empty() || (values.front() >= least && values.back() <= most),
          fmt::format("its values of {} do not lie between {} and {}", name, least, most));
}

void require_attributes(const io::LabelledFile& file) {
  require_between(file, "L", 2, 65536);
  require_between(file, "seed", 0, 0xffffffff);
  require_between(file, "replicas", 1, 8);
  require_between(file, "sweeps", 1, most_sweeps);
  for (const char* interval : {"measure_interval", "exchange_interval", "longer_packs", "longer_times", "threads"})
    if (file.attributes.contains(interval)) require_between(file, interval, 1, most_sweeps);
  for (const char* real : {"J", "h", "p"})
    if (file.attributes.contains(real))
      require(file, file.real(real) >= 0,
              fmt::format("its attribute {} is {}, which is negative", real, file.real(real)));
}

void require_temperatures(const io::LabelledFile& file) {
  const auto& T = file.values<double>("temperature");
  const auto& beta = field<double>(file, "beta", {"temperature"});
  for (std::size_t t = 0; t < T.size(); ++t)
    require(file, T[t] > 0 && beta[t] > 0 && std::abs(T[t] * beta[t] - 1) < 1e-9,
            fmt::format("its temperature {} and inverse temperature {} do not fit together", T[t], beta[t]));
}

/// Times or bins, and the measurements in bins.
void require_moments(const io::LabelledFile& file, Method method) {
  require_increasing(file, moment_axis(method), 1, file.integer("sweeps"));
  if (method == Method::relaxation) return;
  for (const std::int64_t count : field<std::int64_t>(file, "measurements", {"bin"}))
    require(file, 1 <= count && count <= file.integer("sweeps"),
            fmt::format("it has a bin of {} measurements in {} sweeps", count, file.integer("sweeps")));
}

/// The axis, if the file has it, is 0, 1, ..., length - 1.
void require_numbers(const io::LabelledFile& file, const std::string& axis, std::size_t length) {
  const auto found =
      std::find_if(file.axes.begin(), file.axes.end(), [&](const io::Axis& one) { return one.name == axis; });
  if (found == file.axes.end()) return;
  const Integers& values = file.values<std::int64_t>(axis);
  Integers wanted(values.size());
  std::iota(wanted.begin(), wanted.end(), 0);
  require(file, values.size() == length && values == wanted,
          fmt::format("its axis {} does not count from 0 to {}", axis, static_cast<std::int64_t>(length) - 1));
}

void require_members(const io::LabelledFile& file) {
  const auto replicas = static_cast<std::size_t>(file.integer("replicas"));
  for (const char* axis : {"replica", "set"}) require_numbers(file, axis, replicas);
  require_numbers(file, "pair", replicas * (replicas - 1) / 2);
  require_numbers(file, "member", 2);
  const std::size_t slots = io::size(file.axis("temperature").values);
  if (slots > 0) require_numbers(file, "exchange_pair", slots - 1);
  for (const char* axis : {"x", "y", "z"}) require_numbers(file, axis, static_cast<std::size_t>(file.integer("L")));
}

void require_ids(const io::LabelledFile& file) {
  require_increasing(file, "sample", 0, most_id - 1);
  const Integers& ids = file.values<std::int64_t>("sample");
  if (!file.attributes.contains("samples") || !file.attributes.contains("first_sample")) return;
  require(file,
          file.integer("samples") == std::ssize(ids) && (ids.empty() || ids.front() == file.integer("first_sample")),
          fmt::format("its attributes promise {} samples from {} on, but it holds {} others", file.integer("samples"),
                      file.integer("first_sample"), ids.size()));
}

/// Ids and numbers of samples of the groups of a reduced file: "block", "pack" or "product".
void require_groups(const io::LabelledFile& file, const std::string& part, std::int64_t group_size,
                    std::int64_t all_samples) {
  require_increasing(file, part, 0, most_id - 1);
  std::int64_t total = 0;
  for (const std::int64_t count : field<std::int64_t>(file, part + "_samples", {part})) {
    require(file, 1 <= count && count <= group_size && count <= all_samples - total,
            fmt::format("it has a {} of {} samples", part, count));
    total += count;
  }
  require(file, total == all_samples,
          fmt::format("its {}s hold {} samples, but its ranges {}", part, total, all_samples));
}

/// Number of samples in all ranges, which must not overlap.
std::int64_t samples_of_ranges(const io::LabelledFile& file) {
  require_increasing(file, "range", 0, most_id - 1);
  const Integers& first = file.values<std::int64_t>("range");
  const Integers& counts = field<std::int64_t>(file, "range_samples", {"range"});
  std::int64_t total = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::int64_t next = i + 1 < first.size() ? first[i + 1] : most_id;
    require(file, 1 <= counts[i] && counts[i] <= next - first[i],
            fmt::format("its range of samples from {} on has {} samples", first[i], counts[i]));
    total += counts[i];
  }
  return total;
}

/// Sums of one temperature and moment are finite, or all unknown.
void require_sums(const io::LabelledFile& file, const std::string& name, std::size_t row) {
  const auto& values = file.values<double>(name);
  for (std::size_t begin = 0; row > 0 && begin < values.size(); begin += row) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(begin), to = from + static_cast<std::ptrdiff_t>(row);
    const bool unknown = std::all_of(from, to, [](double x) { return std::isnan(x); });
    require(file, unknown || std::all_of(from, to, [](double x) { return std::isfinite(x); }),
            fmt::format("its dataset {} has values that are no finite numbers", name));
  }
}

}  // namespace

void require_sound_measurement(const io::LabelledFile& file) {
  const Method method = method_of(file);
  require_attributes(file);
  require_temperatures(file);
  require_moments(file, method);
  require_members(file);
  require_ids(file);
  double measurements = 1;
  if (method != Method::relaxation)
    for (const std::int64_t count : file.values<std::int64_t>("measurements"))
      measurements = std::max(measurements, static_cast<double>(count));
  for (const io::Dataset& dataset : file.datasets) require_possible_values(file, dataset, measurements);
}

void require_sound_reduced(const io::LabelledFile& file) {
  require_attributes(file);
  require_temperatures(file);
  require_moments(file, method_of(file));
  require_between(file, "block_samples", 1, most_id);
  const std::int64_t samples = samples_of_ranges(file);
  for (const io::Axis& axis : file.axes) {
    if (axis.name == "block") require_groups(file, "block", file.integer("block_samples"), samples);
    if (axis.name == "pack") require_groups(file, "pack", pack_size, samples);
    if (axis.name == "product") require_groups(file, "product", most_id, samples);
  }
  for (const io::Dataset& dataset : file.datasets)
    if (dataset.axes.size() == 3) require_sums(file, dataset.name, io::size(file.axis(dataset.axes.back()).values));
}

}  // namespace psflip::analysis
