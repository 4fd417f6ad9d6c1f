#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

/// The Ising family: H = -sum J_ij s_i s_j - h sum eta_i s_i on a square or cubic lattice. A preset is a member of the
/// family with a name; presets.def lists them. What depends on the model is asked of its traits, not of its name.
namespace psflip {

/// The values are part of the randomness contract (docs/randomness.md).
enum class Model : std::uint32_t {
#define PSFLIP_PRESET(name, number, dimension, couplings, field, method, title) name = number,
#include "engine/models/presets.def"
#undef PSFLIP_PRESET
};

enum class ModelCouplings { ferromagnet, random_bonds };
enum class ModelField { none, random_sign };

/// Relaxation: measured at logarithmic times after the start. Equilibrium: equal bins of measurements at equal
/// intervals. Tempering: exchange Monte Carlo over temperature slots, logarithmic bins.
enum class Method { relaxation, equilibrium, tempering };

struct Preset {
  Model model;
  std::string_view name;
  int dimension;
  ModelCouplings couplings;
  ModelField field;
  Method method;
  std::string_view title;

  constexpr bool has_random_bonds() const { return couplings == ModelCouplings::random_bonds; }
  constexpr bool has_random_field() const { return field == ModelField::random_sign; }
  constexpr bool has_disorder() const { return has_random_bonds() || has_random_field(); }
  /// Whether 32 sites of one lattice can share a word: rows of a square lattice without disorder.
  constexpr bool packs_sites() const { return dimension == 2 && !has_disorder(); }
};

inline constexpr Preset presets[] = {
#define PSFLIP_PRESET(name, number, dimension, couplings, field, method, title) \
  {Model::name, #name, dimension, ModelCouplings::couplings, ModelField::field, Method::method, title},
#include "engine/models/presets.def"
#undef PSFLIP_PRESET
};

constexpr const Preset& preset_of(Model model) {
  for (const Preset& preset : presets)
    if (preset.model == model) return preset;
  return presets[0];  // not reached: every Model is made from a preset
}

constexpr std::string_view model_name(Model model) { return preset_of(model).name; }

constexpr std::optional<Model> model_named(std::string_view name) {
  for (const Preset& preset : presets)
    if (preset.name == name) return preset.model;
  return std::nullopt;
}

constexpr std::string_view name_of(ModelCouplings couplings) {
  return couplings == ModelCouplings::ferromagnet ? "ferromagnet" : "random_bonds";
}
constexpr std::string_view name_of(ModelField field) { return field == ModelField::none ? "none" : "random_sign"; }
constexpr std::string_view name_of(Method method) {
  return method == Method::relaxation ? "relaxation" : method == Method::equilibrium ? "equilibrium" : "tempering";
}

}  // namespace psflip
