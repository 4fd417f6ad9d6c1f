#include <fmt/format.h>

#include "analysis/app/tables/csv.hpp"
#include "analysis/app/tables/keys.hpp"
#include "analysis/app/tables/table_of_slots.hpp"
#include "analysis/app/tempering_commands.hpp"
#include "analysis/interpolation/log_bins.hpp"

namespace psflip::app {
namespace {

std::string table_of_log_bins(const std::vector<analysis::Ensemble>& ensembles) {
  const std::vector<analysis::LogBinRow> found = analysis::log_bins(ensembles);
  const Keys keys = keys_of(ensembles);
  std::string text = line({"model", "method", "L", "h", "p", "T", "seed", "observable", "t_from", "t_to", "value",
                           "error", "difference", "difference_error", "blocks"});
  for (const analysis::LogBinRow& one : found)
    text += line({keys.model, keys.method, coordinate(ensembles.front().L()), keys.h, keys.p,
                  coordinate(one.temperature), keys.seed, one.observable, fmt::format("{}", one.from),
                  fmt::format("{}", one.to), number(one.estimate.value), number_or_empty(one.estimate.error),
                  number(one.difference.value), number_or_empty(one.difference.error), fmt::format("{}", one.blocks)});
  return text;
}

}  // namespace

void add_log_bins(CLI::App& app) {
  add_table_of_slots(app, "log-bins",
                     "Energy and square of the order parameter of tempering on logarithmic bins of time",
                     "Table (CSV), a row for each slot, quantity and bin", table_of_log_bins);
}

}  // namespace psflip::app
