#include "analysis/models/critical_exponents.hpp"

namespace psflip::analysis {

std::optional<CriticalExponents> critical_exponents(const Preset& preset, bool in_field) {
  const bool cubic = preset.dimension == 3;
  if (!in_field && !preset.has_random_bonds()) return cubic ? pure_3d : pure_2d;
  if (!in_field && cubic) return random_bonds_3d;
  if (preset.has_random_field() && !preset.has_random_bonds() && cubic) return random_field_3d;
  return std::nullopt;
}

}  // namespace psflip::analysis
