#include "analysis/models/quantities/tables.hpp"

namespace psflip::analysis {

std::vector<Quantity> quantities_of(Method method, const Preset& preset) {
  const bool bonds = preset.has_random_bonds();
  if (method == Method::relaxation)
    return bonds ? relaxation_of_overlaps() : relaxation_of_magnetization(preset.has_disorder());
  if (method == Method::equilibrium && !preset.has_disorder()) return equilibrium_without_disorder();
  return bonds ? bins_of_overlaps(method) : bins_of_magnetization(method);
}

}  // namespace psflip::analysis
