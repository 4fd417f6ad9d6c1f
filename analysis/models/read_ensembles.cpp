#include "analysis/models/read_ensembles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/ensemble/reduced_file.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/models/quantities/tables.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {
namespace {

/// Whether all sums are quantities of the method and model.
bool has_known_sums_only(const Ensemble& ensemble) {
  const std::vector<Quantity> table = quantities_of(ensemble.method(), ensemble.preset());
  const std::vector<std::string>& names = ensemble.blocks.names;
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::any_of(table.begin(), table.end(),
                       [&](const Quantity& one) { return one.is_primary() && one.name == name; });
  });
}

/// Tempering measures an autocorrelation time for each observable that has one; sums of another version may lack it.
bool lacks_autocorrelation_times(const Ensemble& ensemble) {
  if (ensemble.method() != Method::tempering || ensemble.preset().has_random_bonds()) return false;
  const Observables all = observables(ensemble);
  return std::any_of(all.names.begin(), all.names.end(), [&](const std::string& name) {
    const std::string tau = observable_of(ensemble, name).tau;
    return !tau.empty() && !all.has(tau);
  });
}

}  // namespace

void require_known_sums(const Ensemble& ensemble) {
  if (!has_known_sums_only(ensemble) || lacks_autocorrelation_times(ensemble))
    throw UserError(
        fmt::format("Cannot use {}: its sums are not those of this version of the program; reduce the "
                    "measurements again.",
                    ensemble.path.string()));
}

std::vector<Ensemble> read_ensembles(const std::vector<std::filesystem::path>& paths) {
  return read_reduced(paths, require_known_sums);
}

}  // namespace psflip::analysis
