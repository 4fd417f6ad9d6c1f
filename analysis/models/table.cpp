#include "analysis/models/table.hpp"

#include <cmath>

#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/models/design_effect.hpp"
#include "analysis/models/equilibration.hpp"
#include "analysis/models/observables.hpp"

namespace psflip::analysis {
namespace {

/// Derived numbers whose design effect the ensemble can give: where random numbers are shared.
std::vector<std::string> derived_designs(const Ensemble& ensemble) {
  if (ensemble.products.size() == 0 || ensemble.blocks.size() < 2 ||
      std::get<std::string>(ensemble.attributes.at("random")) != "shared")
    return {};
  const Observables all = observables(ensemble);
  if (!all.has("xi")) return {};
  std::vector<std::string> names = {"xi", "U4", "U22"};
  if (ensemble.packs.size() == 0) names.insert(names.begin(), {"e", "m2", "q2", "chi_k"});
  std::erase_if(names, [&](const std::string& name) { return !all.has(name); });
  return names;
}

/// Appends the cost of shared random numbers at moment `m`.
void add_design_effects(std::vector<Row>& rows, const Ensemble& ensemble, std::size_t m) {
  const auto add = [&](const std::string& name, const statistics::Estimate& effect, Eigen::Index groups) {
    rows.push_back(
        {ensemble.temperature, ensemble.moments[m], "design_effect_" + name, effect, groups, statistics::unknown, {}});
  };
  for (const std::string& name : design_quantities(ensemble))
    add(name, design_effect(ensemble, name, m), ensemble.packs.size());
  const std::vector<std::string> derived = derived_designs(ensemble);
  if (derived.empty()) return;
  const auto effects = derived_design_effects(ensemble, derived, m);
  for (std::size_t i = 0; i < derived.size(); ++i) add(derived[i], effects[i], ensemble.blocks.size());
}

std::vector<Row> relaxation_table(const Ensemble& ensemble) {
  const Observables wanted = observables(ensemble);
  std::vector<Row> rows;
  for (std::size_t m = 0; m < ensemble.moments.size(); ++m) {
    const statistics::Jackknife jackknife(blocks_at(ensemble, m), wanted.evaluate);
    for (std::size_t i = 0; i < wanted.names.size(); ++i)
      rows.push_back({ensemble.temperature,
                      ensemble.moments[m],
                      wanted.names[i],
                      jackknife.estimate(static_cast<Eigen::Index>(i)),
                      jackknife.blocks(),
                      statistics::unknown,
                      {}});
    add_design_effects(rows, ensemble, m);
  }
  return rows;
}

/// The hottest slot of tempering has no hotter neighbour to exchange with, and round trips end in the coldest.
bool belongs_to_slot(const Ensemble& ensemble, const std::string& observable) {
  const auto known = [&](const char* rate) { return !std::isnan(ensemble.blocks[rate].bottomRows(1)(0, 0)); };
  if (observable == "exchange_rate") return known("exchange_rate");
  return observable != "round_trip_time" || known("round_trip_rate");
}

std::vector<Row> equilibrium_table(const Ensemble& ensemble) {
  const Observables wanted = observables(ensemble);
  const statistics::Jackknife jackknife(equilibrium_blocks(ensemble), wanted.evaluate);
  const auto estimate = [&](const std::string& name) { return jackknife.estimate(wanted.index(name)); };
  const auto verdict = verdicts(ensemble);
  std::vector<Row> rows;
  for (const std::string& name : wanted.names) {
    if (!belongs_to_slot(ensemble, name)) continue;
    const std::string tau_of = observable_of(ensemble, name).tau;
    const double tau = wanted.has(tau_of) ? estimate(tau_of).value : statistics::unknown;
    rows.push_back({ensemble.temperature, {}, name, estimate(name), jackknife.blocks(), tau, verdict(name)});
  }
  return rows;
}

}  // namespace

std::vector<Row> table(const Ensemble& ensemble) {
  return ensemble.method() == Method::relaxation ? relaxation_table(ensemble) : equilibrium_table(ensemble);
}

}  // namespace psflip::analysis
