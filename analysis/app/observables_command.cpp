#include <fmt/format.h>

#include "analysis/app/commands.hpp"
#include "analysis/app/tables/csv.hpp"
#include "analysis/models/observables.hpp"
#include "engine/models/model.hpp"

namespace psflip::app {
namespace {

void run_observables() {
  std::string text = line({"model", "method", "observable", "label"});
  for (const Preset& preset : presets)
    for (const Method method : {Method::relaxation, Method::equilibrium, Method::tempering})
      for (const analysis::Quantity& one : analysis::observables_of(method, preset))
        text += line({std::string(preset.name), std::string(name_of(method)), one.name, one.label});
  fmt::print("{}", text);
}

}  // namespace

void add_observables(CLI::App& app) {
  app.add_subcommand("observables",
                     "Print the observables of every model and method and their labels for figures (CSV)")
      ->callback(run_observables);
}

}  // namespace psflip::app
