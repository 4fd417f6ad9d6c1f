#include "analysis/models/equilibration.hpp"

#include <algorithm>

#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/models/quantities/tables.hpp"
#include "analysis/statistics/equilibration.hpp"

namespace psflip::analysis {
namespace {

/// Whether a primary quantity has no drift; true for one that the ensemble lacks.
std::optional<bool> is_settled(const Ensemble& ensemble, primary::Id id) {
  const Grouping& blocks = ensemble.blocks;
  const std::string name(primary_names[id]);
  if (!blocks.has(name)) return true;
  const Eigen::MatrixXd means = blocks[name].transpose().array().colwise() / blocks.samples.array();
  return statistics::is_equilibrated(means, blocks.samples);
}

}  // namespace

std::optional<Verdict> equilibrium_verdict(const Ensemble& ensemble) {
  // The scatter of bins of few samples is mostly that of the disorder.
  if (ensemble.preset().has_disorder() && ensemble.blocks.size() < fewest_sample_blocks) return std::nullopt;
  const auto energy = is_settled(ensemble, primary::e);
  const auto square = is_settled(ensemble, square_of_order_parameter(ensemble.preset()));
  const auto product = is_settled(ensemble, primary::m_m);
  if (!energy || !square || !product) return std::nullopt;
  const bool even = *energy && *square;
  return Verdict{even, even && *product};
}

Verdicts verdicts(const Ensemble& ensemble) {
  const auto verdict =
      ensemble.method() == Method::equilibrium ? equilibrium_verdict(ensemble) : tempering_verdict(ensemble);
  const std::vector<Quantity> table = observables_of(ensemble.method(), ensemble.preset());
  return [=](const std::string& observable) -> std::optional<bool> {
    if (!verdict) return std::nullopt;
    const auto one = std::find_if(table.begin(), table.end(), [&](const Quantity& q) { return q.name == observable; });
    return one->odd_powers_of_m ? verdict->first_powers : verdict->even;
  };
}

}  // namespace psflip::analysis
