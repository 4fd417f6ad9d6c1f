#include "analysis/interpolation/tempered_slots.hpp"

#include <fmt/format.h>

#include "analysis/crossing/crossing_errors.hpp"
#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/models/equilibration.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/models/require.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {

std::optional<bool> TemperedSlots::equilibrated_from(std::size_t observable, Eigen::Index first,
                                                     Eigen::Index last) const {
  std::optional<bool> all = true;
  for (Eigen::Index slot = first; slot <= last; ++slot)
    all = both(all, equilibrated[observable][static_cast<std::size_t>(slot)]);
  return all;
}

void require_one_grid(const std::vector<Ensemble>& ensembles, std::size_t fewest) {
  const Ensemble& first = ensembles.front();
  for (const Ensemble& one : ensembles) {
    require_method(one, Method::tempering, "only exchange Monte Carlo has temperature slots with the same samples");
    if (one.L() != first.L())
      throw UserError(
          fmt::format("Cannot use {} and {} together: their L differs ({} and {}); give one size at a time.",
                      first.path.string(), one.path.string(), first.L(), one.L()));
    require_same_blocks(first, one);
  }
  if (ensembles.size() < fewest)
    throw UserError(fmt::format("Cannot use {}: it has {} temperature slot{}, but {} are needed; give a larger grid.",
                                first.path.string(), ensembles.size(), ensembles.size() == 1 ? "" : "s", fewest));
}

TemperedSlots tempered_slots(const std::vector<Ensemble>& ensembles, const std::vector<std::string>& observables) {
  require_one_grid(ensembles, 2);
  const Ensemble& coldest = ensembles.front();
  const Eigen::Index count = std::ssize(ensembles), width = std::ssize(coldest.blocks.names);
  TemperedSlots slots{Eigen::VectorXd(count), Eigen::VectorXd(count), {}, {}, {}};
  slots.blocks = {Eigen::MatrixXd(coldest.blocks.size(), count * width), coldest.blocks.samples};
  slots.equilibrated.resize(observables.size());
  std::vector<statistics::Function> functions;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Ensemble& slot = ensembles[static_cast<std::size_t>(i)];
    require_observables(slot, observables);
    slots.temperatures[i] = slot.temperature;
    slots.betas[i] = slot.beta;
    slots.blocks.sums.middleCols(i * width, width) = equilibrium_blocks(slot).sums;
    const Verdicts verdict = verdicts(slot);
    for (std::size_t o = 0; o < observables.size(); ++o) slots.equilibrated[o].push_back(verdict(observables[o]));
    functions.push_back(analysis::observables(slot, observables).evaluate);
  }
  const Eigen::Index columns = std::ssize(observables);
  slots.values = [=](const Eigen::VectorXd& means) {
    Eigen::MatrixXd values(count, columns);
    for (Eigen::Index i = 0; i < count; ++i)
      values.row(i) = functions[static_cast<std::size_t>(i)](means.segment(i * width, width)).transpose();
    return values;
  };
  return slots;
}

}  // namespace psflip::analysis
