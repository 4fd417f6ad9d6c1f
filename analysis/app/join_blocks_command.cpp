#include <filesystem>
#include <memory>

#include "analysis/app/checked.hpp"
#include "analysis/app/tempering_commands.hpp"
#include "analysis/ensemble/join_blocks.hpp"
#include "analysis/ensemble/reduced_file.hpp"
#include "analysis/models/read_ensembles.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {
namespace {

struct JoinBlocksArguments {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;
  std::int64_t block_samples = 0, last_bins = 0;
};

void run_join_blocks(const JoinBlocksArguments& options) {
  require_output("--output", options.output, options.inputs);
  std::vector<analysis::Ensemble> ensembles = analysis::read_ensembles(options.inputs);
  for (analysis::Ensemble& ensemble : ensembles) {
    if (ensemble.method() != Method::tempering)
      throw UserError("join-blocks is for exchange Monte Carlo; reduce the measurements with --block-samples instead.");
    if (ensemble.L() != ensembles.front().L())
      throw UserError("The reduced files have several sizes L; join the blocks of each size into a file of its own.");
    analysis::join_blocks(ensemble, options.block_samples);
    if (options.last_bins > 0) analysis::keep_last_moments(ensemble, options.last_bins);
  }
  io::write(options.output, analysis::to_file(ensembles));
}

}  // namespace

void add_join_blocks(CLI::App& app) {
  auto options = std::make_shared<JoinBlocksArguments>();
  CLI::App* command = app.add_subcommand(
      "join-blocks", "Fewer, larger jackknife blocks in a reduced file of tempering, whose measurements may be gone");
  command->add_option("reduced", options->inputs, "Reduced files (HDF5) of tempering of one model and size")
      ->required();
  command->add_option("--block-samples", options->block_samples, "Samples per block, a multiple of that of the files")
      ->required()
      ->check(CLI::PositiveNumber);
  command->add_option("--last-bins", options->last_bins, "Only the sums of the last bins of time [0: all]")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--output", options->output, "Reduced file (HDF5)")->required();
  command->callback([options] { run_join_blocks(*options); });
}

}  // namespace psflip::app
