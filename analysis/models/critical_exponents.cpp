#include "analysis/models/critical_exponents.hpp"

namespace psflip::analysis {

bool is_in_field(const Preset& preset, const io::Attributes& job) {
  const auto h = job.find("h");  // files have it where the model has a field
  return h == job.end() ? preset.has_random_field() : std::get<double>(h->second) != 0;
}

std::optional<CriticalExponents> critical_exponents(const Preset& preset, const io::Attributes& job) {
  if (job.contains("p")) return std::nullopt;  // files have p where it is not 1/2
  const bool in_field = is_in_field(preset, job);
  const bool cubic = preset.dimension == 3;
  if (!in_field && !preset.has_random_bonds()) return cubic ? pure_3d : pure_2d;
  if (!in_field && cubic) return random_bonds_3d;
  if (preset.has_random_field() && !preset.has_random_bonds() && cubic) return random_field_3d;
  return std::nullopt;
}

}  // namespace psflip::analysis
