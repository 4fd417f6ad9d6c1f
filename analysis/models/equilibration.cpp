#include "analysis/models/equilibration.hpp"

#include "analysis/models/observables.hpp"
#include "analysis/statistics/equilibration.hpp"

namespace psflip::analysis {

std::optional<bool> ising2d_equilibrated(const Ensemble& ensemble) {
  const Grouping& blocks = ensemble.blocks;
  std::optional<bool> verdict;
  for (const char* name : {"e", "m2"}) {
    const Eigen::MatrixXd means = blocks[name].transpose().array().colwise() / blocks.samples.array();
    const auto one = statistics::is_equilibrated(means, blocks.samples);
    if (!one) return std::nullopt;
    verdict = verdict.value_or(true) && *one;
  }
  return verdict;
}

Verdicts verdicts(const Ensemble& ensemble) {
  if (ensemble.method() == Method::equilibrium)
    return [verdict = ising2d_equilibrated(ensemble)](const std::string&) { return verdict; };
  return [verdict = rfim3d_verdict(ensemble),
          model = ensemble.model()](const std::string& observable) -> std::optional<bool> {
    if (!verdict) return std::nullopt;
    return observable_of(model, observable).odd_powers_of_m ? verdict->sectors : verdict->even;
  };
}

}  // namespace psflip::analysis
