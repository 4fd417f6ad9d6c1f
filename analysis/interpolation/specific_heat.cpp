#include "analysis/interpolation/specific_heat.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/crossing/crossing_errors.hpp"
#include "analysis/interpolation/polynomial_weights.hpp"
#include "analysis/interpolation/tempered_slots.hpp"
#include "analysis/models/observables.hpp"

namespace psflip::analysis {
namespace {

constexpr Eigen::Index slots_of_derivative = 5;

/// The slots whose energies give the derivative at one of them, and the weights of these energies in de/dT.
struct Stencil {
  Eigen::Index first;
  Eigen::VectorXd weights;
};

/// Through the slots first ... first + count - 1.
Stencil stencil_of(const TemperedSlots& slots, Eigen::Index slot, Eigen::Index first, Eigen::Index count) {
  const double beta = slots.betas[slot];
  // de/dT = -beta^2 de/dbeta
  return {first, -beta * beta * polynomial_weights(Eigen::VectorXd(slots.betas.segment(first, count)), beta, 1)};
}

/// Through as many colder as hotter slots where there are.
Stencil stencil_at(const TemperedSlots& slots, Eigen::Index slot) {
  const Eigen::Index count = std::min(slots_of_derivative, slots.count());
  return stencil_of(slots, slot, std::clamp<Eigen::Index>(slot - count / 2, 0, slots.count() - count), count);
}

double apply(const Stencil& stencil, const Eigen::VectorXd& energies) {
  return stencil.weights.dot(energies.segment(stencil.first, stencil.weights.size()));
}

/// The larger difference to the polynomials with one more slot, a colder or a hotter one; of all slots to those with
/// one fewer. Nothing of two slots.
double systematic_error(const TemperedSlots& slots, Eigen::Index slot, const Stencil& used,
                        const Eigen::VectorXd& energies) {
  const Eigen::Index count = used.weights.size();
  if (count < 3) return statistics::unknown;
  const bool all = slots.count() == count;
  const Eigen::Index other = all ? count - 1 : count + 1;
  double largest = 0;
  for (const Eigen::Index first :
       all ? std::array{used.first, used.first + 1} : std::array{used.first - 1, used.first}) {
    if (first < 0 || first + other > slots.count()) continue;
    const double difference = apply(stencil_of(slots, slot, first, other), energies) - apply(used, energies);
    largest = std::max(largest, std::abs(difference));
  }
  return largest;
}

}  // namespace

std::vector<SpecificHeat> specific_heats(const std::vector<Ensemble>& ensembles) {
  require_one_grid(ensembles, 2);
  const bool has_variance = observables(ensembles.front()).has("C");
  std::vector<std::string> names = {"e"};
  if (has_variance) names.emplace_back("C");
  const TemperedSlots slots = tempered_slots(ensembles, names);
  std::vector<Stencil> stencils;
  for (Eigen::Index k = 0; k < slots.count(); ++k) stencils.push_back(stencil_at(slots, k));
  const statistics::Jackknife jackknife(slots.blocks, [&](const Eigen::VectorXd& means) {
    const Eigen::MatrixXd table = slots.values(means);
    Eigen::VectorXd numbers(3 * slots.count());
    for (Eigen::Index k = 0; k < slots.count(); ++k) {
      const double derivative = apply(stencils[static_cast<std::size_t>(k)], table.col(0));
      const double variance = has_variance ? table(k, 1) : statistics::unknown;
      numbers.segment(3 * k, 3) << variance, derivative, derivative - variance;
    }
    return numbers;
  });
  const Eigen::VectorXd energies = slots.values(slots.blocks.means()).col(0);
  std::vector<SpecificHeat> result;
  for (Eigen::Index k = 0; k < slots.count(); ++k) {
    const Stencil& used = stencils[static_cast<std::size_t>(k)];
    const Eigen::Index last = used.first + used.weights.size() - 1, order = used.weights.size() - 1;
    const double T = slots.temperatures[k], systematic = systematic_error(slots, k, used, energies);
    const std::optional<bool> here = slots.equilibrated_from(names.size() - 1, k, k);
    const std::optional<bool> around = slots.equilibrated_from(0, used.first, last);
    if (has_variance)
      result.push_back({T, "C", jackknife.estimate(3 * k), statistics::unknown, jackknife.blocks(), {}, here});
    result.push_back({T, "C_derivative", jackknife.estimate(3 * k + 1), systematic, jackknife.blocks(), order, around});
    if (has_variance)
      result.push_back({T, "C_difference", jackknife.estimate(3 * k + 2), systematic, jackknife.blocks(), order,
                        both(here, around)});
  }
  return result;
}

}  // namespace psflip::analysis
