#include <fmt/format.h>

#include "analysis/app/tables/csv.hpp"
#include "analysis/app/tables/keys.hpp"
#include "analysis/app/tables/table_of_slots.hpp"
#include "analysis/app/tempering_commands.hpp"
#include "analysis/interpolation/specific_heat.hpp"

namespace psflip::app {
namespace {

std::string table_of_specific_heat(const std::vector<analysis::Ensemble>& ensembles) {
  const std::vector<analysis::SpecificHeat> found = analysis::specific_heats(ensembles);
  const Keys keys = keys_of(ensembles);
  std::string text = line({"model", "method", "L", "h", "p", "T", "seed", "observable", "value", "error",
                           "error_systematic", "blocks", "order", "equilibrated"});
  for (const analysis::SpecificHeat& one : found)
    text += line({keys.model, keys.method, coordinate(ensembles.front().L()), keys.h, keys.p,
                  coordinate(one.temperature), keys.seed, one.observable, number(one.estimate.value),
                  number_or_empty(one.estimate.error), number_or_empty(one.systematic), fmt::format("{}", one.blocks),
                  one.order ? fmt::format("{}", *one.order) : "", flag_or_empty(one.equilibrated)});
  return text;
}

}  // namespace

void add_specific_heat(CLI::App& app) {
  add_table_of_slots(app, "specific-heat",
                     "Specific heat of tempering from the variance of the energy and from its derivative",
                     "Table (CSV)", table_of_specific_heat);
}

}  // namespace psflip::app
