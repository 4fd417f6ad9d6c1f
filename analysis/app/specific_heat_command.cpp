#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "analysis/app/checked.hpp"
#include "analysis/app/csv.hpp"
#include "analysis/app/keys.hpp"
#include "analysis/app/tempering_commands.hpp"
#include "analysis/interpolation/specific_heat.hpp"
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
  const std::vector<analysis::SpecificHeat> found = analysis::specific_heats(ensembles);
  const Keys keys = keys_of(ensembles);
  std::string text = line({"model", "method", "L", "h", "p", "T", "seed", "observable", "value", "error",
                           "error_systematic", "blocks", "order", "equilibrated"});
  for (const analysis::SpecificHeat& one : found)
    text += line({keys.model, keys.method, coordinate(ensembles.front().L()), keys.h, keys.p,
                  coordinate(one.temperature), keys.seed, one.observable, number(one.estimate.value),
                  number_or_empty(one.estimate.error), number_or_empty(one.systematic), fmt::format("{}", one.blocks),
                  one.order ? fmt::format("{}", *one.order) : "", flag_or_empty(one.equilibrated)});
  io::write_text(options.output, text);
}

}  // namespace

void add_specific_heat(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "specific-heat", "Specific heat of tempering from the variance of the energy and from its derivative");
  command->add_option("reduced", options->inputs, "Reduced files (HDF5) of tempering of one model and size")
      ->required();
  command->add_option("--output", options->output, "Table (CSV)")->required();
  command->callback([options] { run(*options); });
}

}  // namespace psflip::app
