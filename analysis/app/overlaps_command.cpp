#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <memory>

#include "analysis/app/checked.hpp"
#include "analysis/app/tables/csv.hpp"
#include "analysis/app/tables/keys.hpp"
#include "analysis/app/tempering_commands.hpp"
#include "analysis/ensemble/merge.hpp"
#include "analysis/models/overlaps/table.hpp"
#include "analysis/models/reduce.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {
namespace {

struct OverlapsArguments {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;
  std::int64_t block_samples = 0;
};

constexpr std::int64_t tested_bins = 3;  ///< of time, by the equilibration test

/// The histograms of all shards, and the block sums of each slot.
struct Shards {
  analysis::OverlapHistograms histograms;
  std::vector<analysis::Ensemble> ensembles;
};

Shards read(const std::vector<std::filesystem::path>& inputs, std::optional<std::int64_t> block_samples) {
  Shards shards;
  for (const std::filesystem::path& input : inputs) {
    const io::LabelledFile file = io::read(input, "measurement");
    std::vector<analysis::Ensemble> some = analysis::reduce(file, block_samples, false);
    shards.histograms.add(file);
    for (analysis::Ensemble& ensemble : some) {
      analysis::keep_last_moments(ensemble, tested_bins);
      analysis::drop_overlap_densities(ensemble);
    }
    std::move(some.begin(), some.end(), std::back_inserter(shards.ensembles));
  }
  shards.ensembles = analysis::merge(std::move(shards.ensembles));
  if (shards.ensembles.front().L() != shards.ensembles.back().L())
    throw UserError("Cannot combine measurements of several L; make a table of each size.");
  return shards;
}

std::string estimate(const statistics::Estimate& one) {
  return fmt::format("{},{}", number(one.value), number_or_empty(one.error));
}

std::string row_text(const Keys& keys, int L, const analysis::OverlapRow& row, bool has_links) {
  std::vector<std::string> fields = {keys.model,
                                     keys.h,
                                     keys.p,
                                     keys.seed,
                                     coordinate(L),
                                     coordinate(row.temperature),
                                     fmt::format("{}", row.slot),
                                     fmt::format("{}", row.bin),
                                     number(row.q),
                                     estimate(row.density),
                                     estimate(row.even),
                                     estimate(row.within)};
  for (const double quantile : row.quantiles) fields.push_back(number(quantile));
  fields.push_back(has_links ? estimate(row.link) : ",");
  for (const std::int64_t count : {row.samples, row.blocks}) fields.push_back(fmt::format("{}", count));
  fields.push_back(flag_or_empty(row.equilibrated));
  return line(fields);
}

void run_overlaps(const OverlapsArguments& options, bool block_samples_given) {
  require_output("--output", options.output, options.inputs);
  const Shards shards = read(options.inputs, block_samples_given ? std::optional(options.block_samples) : std::nullopt);
  std::string text = line({"model",
                           "h",
                           "p",
                           "seed",
                           "L",
                           "T",
                           "slot",
                           "bin",
                           "q",
                           "P",
                           "P_error",
                           "P_even",
                           "P_even_error",
                           "X",
                           "X_error",
                           "P_J_16",
                           "P_J_50",
                           "P_J_84",
                           "q_link",
                           "q_link_error",
                           "samples",
                           "blocks",
                           "equilibrated"});
  for (std::size_t slot = 0; slot < shards.ensembles.size(); ++slot) {
    const analysis::Ensemble& ensemble = shards.ensembles[slot];
    const bool has_links = shards.histograms.has_link_sums(slot);
    for (const analysis::OverlapRow& row : analysis::overlap_table(shards.histograms, slot, ensemble))
      text += row_text(keys_of({ensemble}), ensemble.L(), row, has_links);
  }
  io::write_text(options.output, text);
}

}  // namespace

void add_overlaps(CLI::App& app) {
  auto options = std::make_shared<OverlapsArguments>();
  CLI::App* command = app.add_subcommand(
      "overlaps", "Distribution of the overlap and link overlap in its bins, of exchange Monte Carlo");
  command->add_option("measurements", options->inputs, "Measurement files (HDF5) of one job: tempering, random bonds")
      ->required();
  command->add_option("--output", options->output, "Table (CSV)")->required();
  auto* blocks =
      command->add_option("--block-samples", options->block_samples, "Samples per jackknife block, as for reduce");
  command->callback([options, blocks] { run_overlaps(*options, blocks->count() > 0); });
}

}  // namespace psflip::app
