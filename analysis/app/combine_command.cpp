#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <memory>

#include "analysis/app/checked.hpp"
#include "analysis/app/commands.hpp"
#include "analysis/app/tables/csv.hpp"
#include "analysis/app/tables/keys.hpp"
#include "analysis/ensemble/merge.hpp"
#include "analysis/models/read_ensembles.hpp"
#include "analysis/models/table.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {
namespace {

struct CombineArguments {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;
  std::string expected;
};

/// FIRST:COUNT. Throws UserError.
analysis::SampleRange parse_range(const std::string& text) {
  analysis::SampleRange range;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, range.first);
  const bool colon = first.ec == std::errc() && first.ptr != end && *first.ptr == ':';
  const auto count = colon ? std::from_chars(first.ptr + 1, end, range.count) : first;
  if (!colon || count.ec != std::errc() || count.ptr != end || range.first < 0 || range.count <= 0)
    throw UserError(fmt::format("--expect-samples {} is not FIRST:COUNT; give for example 0:512.", text));
  return range;
}

std::string rows(const analysis::Ensemble& ensemble) {
  const Keys keys = keys_of({ensemble});
  std::string text;
  for (const analysis::Row& row : analysis::table(ensemble))
    text += line({keys.model, keys.method, coordinate(ensemble.L()), keys.h, keys.p, coordinate(row.temperature),
                  row.time ? fmt::format("{}", *row.time) : "", keys.seed, row.observable, number(row.estimate.value),
                  number_or_empty(row.estimate.error), fmt::format("{}", row.blocks), number_or_empty(row.tau),
                  flag_or_empty(row.equilibrated)});
  return text;
}

void run_combine(const CombineArguments& options) {
  require_output("--output", options.output, options.inputs);
  const std::optional<analysis::SampleRange> expected =
      options.expected.empty() ? std::nullopt : std::optional(parse_range(options.expected));
  const std::vector<analysis::Ensemble> ensembles = analysis::read_ensembles(options.inputs);
  if (ensembles.front().L() != ensembles.back().L())
    throw UserError(fmt::format(
        "Cannot combine {} and {}: their L differs ({} and {}); combine each size into a table of its own.",
        ensembles.front().path.string(), ensembles.back().path.string(), ensembles.front().L(), ensembles.back().L()));
  if (expected) analysis::require_samples(ensembles, *expected);
  std::string text = line({"model", "method", "L", "h", "p", "T", "t", "seed", "observable", "value", "error", "blocks",
                           "tau", "equilibrated"});
  for (const analysis::Ensemble& ensemble : ensembles) text += rows(ensemble);
  io::write_text(options.output, text);
}

}  // namespace

void add_combine(CLI::App& app) {
  auto options = std::make_shared<CombineArguments>();
  CLI::App* command =
      app.add_subcommand("combine", "Make the table of all observables with errors from reduced files of one size");
  command->add_option("reduced", options->inputs, "Reduced files (HDF5) of one model and size with disjoint samples")
      ->required();
  command->add_option("--output", options->output, "Table (CSV)")->required();
  command->add_option("--expect-samples", options->expected,
                      "FIRST:COUNT, refuse unless every temperature has exactly these samples");
  command->callback([options] { run_combine(*options); });
}

}  // namespace psflip::app
