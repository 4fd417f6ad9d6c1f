#include <fmt/format.h>

#include "analysis/app/commands.hpp"
#include "analysis/app/csv.hpp"
#include "analysis/models/observables.hpp"
#include "engine/models/model.hpp"

namespace psflip::app {
namespace {

void run() {
  std::string text = line({"model", "observable", "label"});
  for (const Preset& preset : presets)
    for (const analysis::Observable& one : analysis::observables_of(preset.name))
      text += line({std::string(preset.name), one.name, one.label});
  fmt::print("{}", text);
}

}  // namespace

void add_observables(CLI::App& app) {
  app.add_subcommand("observables", "Print the observables of every model and their labels for figures (CSV)")
      ->callback(run);
}

}  // namespace psflip::app
