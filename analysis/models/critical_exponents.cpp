#include "analysis/models/critical_exponents.hpp"

namespace psflip::analysis {

std::optional<CriticalExponents> critical_exponents(const Preset& preset, const io::Attributes& job) {
  if (job.contains("p")) return std::nullopt;  // files have p where it is not 1/2, h where there is a field
  const bool in_field = preset.has_random_field() || job.contains("h");
  const bool cubic = preset.dimension == 3;
  if (!in_field && !preset.has_random_bonds()) return cubic ? pure_3d : pure_2d;
  if (!in_field && cubic) return random_bonds_3d;
  if (preset.has_random_field() && !preset.has_random_bonds() && cubic) return random_field_3d;
  return std::nullopt;
}

}  // namespace psflip::analysis
