#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "analysis/app/checked.hpp"
#include "analysis/app/commands.hpp"
#include "analysis/ensemble/merge.hpp"
#include "analysis/ensemble/reduced_file.hpp"
#include "analysis/models/reduce.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {
namespace {

struct ReduceArguments {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;
  std::int64_t block_samples = 0;
  std::int64_t last_bins = 0;  ///< 0: all
  bool without_packs = false;
};

/// All temperatures of one file must stand on the same samples.
void require_same_samples(const std::vector<analysis::Ensemble>& ensembles, const std::filesystem::path& output) {
  for (const auto& ensemble : ensembles)
    if (ensemble.L() != ensembles[0].L() || ensemble.blocks.ids != ensembles[0].blocks.ids ||
        ensemble.blocks.samples != ensembles[0].blocks.samples)
      throw UserError(
          fmt::format("Cannot write {}: the measurements of different temperatures or sizes hold different samples; "
                      "reduce them into files of their own.",
                      output.string()));
}

void require_bins(const analysis::Ensemble& ensemble) {
  if (ensemble.method() == Method::relaxation)
    throw UserError(fmt::format("--last-bins is not possible for {}: relaxation has times, not bins; leave it out.",
                                ensemble.path.string()));
}

void run_reduce(const ReduceArguments& options, bool block_samples_given) {
  require_output("--output", options.output, options.inputs);
  if (options.last_bins < 0)
    throw UserError(fmt::format("--last-bins {}: a number of bins is positive; give 1 or more, or 0 for all bins.",
                                options.last_bins));
  std::vector<analysis::Ensemble> ensembles;
  for (const auto& input : options.inputs) {
    const auto blocks = block_samples_given ? std::optional(options.block_samples) : std::nullopt;
    auto some = analysis::reduce(io::read(input, "measurement"), blocks, !options.without_packs);
    for (analysis::Ensemble& ensemble : some) {
      if (options.last_bins == 0) break;
      require_bins(ensemble);
      analysis::keep_last_moments(ensemble, options.last_bins);
    }
    std::move(some.begin(), some.end(), std::back_inserter(ensembles));
  }
  ensembles = analysis::merge(std::move(ensembles));
  require_same_samples(ensembles, options.output);
  io::write(options.output, analysis::to_file(ensembles));
}

}  // namespace

void add_reduce(CLI::App& app) {
  auto options = std::make_shared<ReduceArguments>();
  CLI::App* command = app.add_subcommand("reduce", "Sum measurement files over jackknife blocks");
  command->add_option("measurements", options->inputs, "Measurement files (HDF5) of one job")->required();
  command->add_option("--output", options->output, "Reduced file (HDF5)")->required();
  auto* blocks =
      command->add_option("--block-samples", options->block_samples,
                          "Samples per jackknife block: a multiple of 32 for shared random numbers (default 32), any "
                          "number for independent ones (default 1)");
  command->add_option("--last-bins", options->last_bins,
                      "Only the sums of the last bins of time, 3 for the equilibration test of tempering [0: all]");
  command->add_flag(
      "--without-packs", options->without_packs,
      "Leave out sums over packs of 32 samples, most of a file where blocks are large (relaxation with random bonds)");
  command->callback([options, blocks] { run_reduce(*options, blocks->count() > 0); });
}

}  // namespace psflip::app
