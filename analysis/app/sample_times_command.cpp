#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "analysis/app/checked.hpp"
#include "analysis/app/tables/csv.hpp"
#include "analysis/app/tables/keys.hpp"
#include "analysis/app/tempering_commands.hpp"
#include "analysis/dynamics/sample_times.hpp"
#include "analysis/ensemble/ensemble.hpp"
#include "engine/io/error.hpp"
#include "engine/io/labelled_file.hpp"
#include "engine/io/paths.hpp"

namespace psflip::app {
namespace {

constexpr double quantiles[] = {0, 0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1};

struct SampleTimesArguments {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output, quantiles, histogram;
  std::optional<std::int64_t> slowest;
};

void require_outputs(const SampleTimesArguments& options) {
  std::vector<io::NamedFile> others;
  for (const auto& [name, path] : {io::NamedFile{"--output", options.output},
                                   {"--quantiles", options.quantiles},
                                   {"--histogram", options.histogram}}) {
    if (path.empty()) continue;
    require_output(name, path, options.inputs);
    io::require_other_file({name, path}, others);
    others.push_back({name, path});
  }
  if (options.slowest && *options.slowest < 1)
    throw UserError(fmt::format("--slowest {}: a number of samples is positive; give 1 or more.", *options.slowest));
}

/// The system, with which all rows begin.
std::string system_of(const io::Attributes& attributes) {
  analysis::Ensemble job;
  job.attributes = attributes;
  const Keys keys = keys_of({job});
  return fmt::format("{},{},{},{},{},{},", keys.model, keys.method, job.L(), keys.h, keys.p, keys.seed);
}

std::string rows(const std::string& system, const analysis::SampleTimes& times, const SampleTimesArguments& options) {
  const std::vector<analysis::SampleTime> shown =
      options.slowest ? analysis::slowest(times, static_cast<std::size_t>(*options.slowest)) : times.samples;
  std::string text;
  for (const analysis::SampleTime& one : shown)
    text +=
        system + line({fmt::format("{}", one.sample), times.quantity, number(one.value), one.lower_bound ? "1" : "0",
                       coordinate(one.bin_sweeps), number_or_empty(one.bin_sweeps / one.value)});
  return text;
}

std::string quantile_rows(const std::string& system, const analysis::SampleTimes& times) {
  std::string text;
  for (const double part : quantiles)
    text += system + line({times.quantity, coordinate(part), number(analysis::quantile(times, part))});
  return text;
}

std::string histogram_rows(const std::string& system, const analysis::SampleTimes& times) {
  std::string text;
  for (const analysis::TimeBin& bin : analysis::histogram(times))
    text += system + line({times.quantity, coordinate(bin.from), coordinate(bin.to), fmt::format("{}", bin.samples),
                           fmt::format("{}", bin.lower_bounds)});
  return text;
}

/// One file at a time is in memory.
analysis::JoinedSampleTimes read(const std::vector<std::filesystem::path>& paths) {
  analysis::JoinedSampleTimes all;
  for (const auto& path : paths) {
    const io::LabelledFile file = io::read(path, "measurement");
    analysis::require_known_job(file);
    all.add(file);
  }
  return all;
}

void run_sample_times(const SampleTimesArguments& options) {
  require_outputs(options);
  const analysis::JoinedSampleTimes all = read(options.inputs);
  const std::string system = system_of(all.attributes()), keys = "model,method,L,h,p,seed,";
  std::string text = keys + line({"sample", "quantity", "value", "lower_bound", "bin_sweeps", "bin_in_times"});
  std::string parts = keys + line({"quantity", "quantile", "value"});
  std::string bins = keys + line({"quantity", "log10_from", "log10_to", "samples", "lower_bounds"});
  for (const analysis::SampleTimes& times : all.times()) {
    text += rows(system, times, options);
    parts += quantile_rows(system, times);
    bins += histogram_rows(system, times);
  }
  if (!options.quantiles.empty()) io::write_text(options.quantiles, parts);
  if (!options.histogram.empty()) io::write_text(options.histogram, bins);
  io::write_text(options.output, text);
}

}  // namespace

void add_sample_times(CLI::App& app) {
  auto options = std::make_shared<SampleTimesArguments>();
  CLI::App* command = app.add_subcommand(
      "sample-times", "Round-trip and autocorrelation times of every sample of tempering, the slowest by id");
  command->add_option("measurements", options->inputs, "Measurement files (HDF5) of one job with different samples")
      ->required();
  command->add_option("--output", options->output, "Table (CSV), a row for each sample and time")->required();
  command->add_option("--slowest", options->slowest, "Only so many samples of each time, the slowest first");
  command->add_option("--quantiles", options->quantiles, "Table (CSV) of quantiles over all samples");
  command->add_option("--histogram", options->histogram, "Table (CSV): samples against log10 of the time");
  command->callback([options] { run_sample_times(*options); });
}

}  // namespace psflip::app
