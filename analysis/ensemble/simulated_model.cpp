#include "analysis/ensemble/simulated_model.hpp"

#include <algorithm>
#include <array>

namespace psflip::analysis {

const SimulatedModel* find_model(std::string_view name) {
  static constexpr std::array models = {SimulatedModel{"ea3d", 3, Method::relaxation, ""},
                                        SimulatedModel{"ising2d", 2, Method::equilibrium, "measure_interval"},
                                        SimulatedModel{"rfim3d", 3, Method::tempering, "exchange_interval"}};
  const auto* found = std::find_if(models.begin(), models.end(), [&](const auto& model) { return model.name == name; });
  return found == models.end() ? nullptr : found;
}

}  // namespace psflip::analysis
