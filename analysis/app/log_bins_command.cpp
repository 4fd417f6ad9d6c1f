#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "analysis/app/checked.hpp"
#include "analysis/app/csv.hpp"
#include "analysis/app/keys.hpp"
#include "analysis/app/tempering_commands.hpp"
#include "analysis/interpolation/log_bins.hpp"
#include "analysis/models/read_ensembles.hpp"
#include "engine/io/labelled_file.hpp"

namespace psflip::app {
namespace {

struct Options {
  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;
};

void run(const Options& options) {
  require_output("--output", options.output, options.inputs);
  const std::vector<analysis::Ensemble> ensembles = analysis::read_ensembles(options.inputs);
  const std::vector<analysis::LogBinRow> found = analysis::log_bins(ensembles);
  const Keys keys = keys_of(ensembles);
  std::string text = line({"model", "method", "L", "h", "p", "T", "seed", "observable", "t_from", "t_to", "value",
                           "error", "difference", "difference_error", "blocks"});
  for (const analysis::LogBinRow& one : found)
    text += line({keys.model, keys.method, coordinate(ensembles.front().L()), keys.h, keys.p,
                  coordinate(one.temperature), keys.seed, one.observable, fmt::format("{}", one.from),
                  fmt::format("{}", one.to), number(one.estimate.value), number_or_empty(one.estimate.error),
                  number(one.difference.value), number_or_empty(one.difference.error), fmt::format("{}", one.blocks)});
  io::write_text(options.output, text);
}

}  // namespace

void add_log_bins(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "log-bins", "Energy and square of the order parameter of tempering on logarithmic bins of time");
  command->add_option("reduced", options->inputs, "Reduced files (HDF5) of tempering of one model and size")
      ->required();
  command->add_option("--output", options->output, "Table (CSV), a row for each slot, quantity and bin")->required();
  command->callback([options] { run(*options); });
}

}  // namespace psflip::app
