#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

/// The Ising family: H = -J sum sigma_ij s_i s_j - h sum eta_i s_i on a square or cubic lattice. A preset is a member
/// of the family with a name; presets.def lists them. Code that depends on the model uses its traits, not its
/// name.
namespace psflip {

/// The values are part of the randomness contract (docs/randomness.md).
enum class Model : std::uint32_t {
#define PSFLIP_PRESET(name, number, dimension, couplings, field, method, title) name = (number),
#include "engine/models/presets.def"
#undef PSFLIP_PRESET
};

enum class ModelCouplings { ferromagnet, random_bonds };
enum class ModelField { none, uniform, random_sign };

/// Relaxation: measured at logarithmic times after the start. Equilibrium: equal bins of measurements at equal
/// intervals. Tempering: exchange Monte Carlo over temperature slots, logarithmic bins.
enum class Method { relaxation, equilibrium, tempering };

/// Properties of a member of the family that are known to the compiler.
template <int D, ModelCouplings C, ModelField F>
struct Traits {
  static_assert(D == 2 || D == 3);
  static constexpr int dimension = D;
  static constexpr int neighbours = 2 * D;
  static constexpr ModelCouplings couplings = C;
  static constexpr ModelField field = F;
  static constexpr bool has_couplings = C == ModelCouplings::random_bonds;
  static constexpr bool has_field = F != ModelField::none;
  static constexpr bool has_field_words = F == ModelField::random_sign;  ///< a uniform field takes no memory
  static constexpr bool has_disorder = has_couplings || has_field_words;
};

struct Preset {
  Model model;
  std::string_view name;
  int dimension;
  ModelCouplings couplings;
  ModelField field;
  Method method;  ///< of a study or a measurement file that names none, as in 0.1
  std::string_view title;

  constexpr bool has_random_bonds() const { return couplings == ModelCouplings::random_bonds; }
  constexpr bool has_random_field() const { return field == ModelField::random_sign; }
  /// Whether its jobs may have a field; System::has_field() says whether a job has one.
  constexpr bool has_field() const { return field != ModelField::none; }
  constexpr bool has_disorder() const { return has_random_bonds() || has_random_field(); }
  /// Random bonds on a cubic lattice without a field: the model of the kernels of engine/cuda/sweep/cubic.hpp.
  constexpr bool is_cubic_glass() const { return dimension == 3 && has_random_bonds() && !has_field(); }
  /// Names of the directions of the lattice.
  constexpr std::string_view axes() const {
    return std::string_view("xyz").substr(0, static_cast<std::size_t>(dimension));
  }
  /// The parts of a lattice with one coordinate along its last direction.
  constexpr std::string_view planes() const { return dimension == 3 ? "planes" : "rows"; }
  /// Whether 32 sites of one lattice can share a word: rows of a square lattice without disorder, at h = 0.
  constexpr bool packs_sites() const { return dimension == 2 && !has_disorder(); }
};

inline constexpr Preset presets[] = {
#define PSFLIP_PRESET(name, number, dimension, couplings, field, method, title) \
  {Model::name, #name, dimension, ModelCouplings::couplings, ModelField::field, Method::method, title},
#include "engine/models/presets.def"
#undef PSFLIP_PRESET
};

/// The members of the family without a name, which tests simulate: their numbers are beyond those of presets.
inline constexpr std::uint32_t first_unnamed_number = 1000;

constexpr Preset unnamed_preset(int dimension, ModelCouplings couplings, ModelField field) {
  const auto index =
      static_cast<std::uint32_t>((dimension - 2) * 6 + static_cast<int>(couplings) * 3 + static_cast<int>(field));
  return {static_cast<Model>(first_unnamed_number + index), "", dimension, couplings, field, Method::relaxation, ""};
}

inline constexpr Preset unnamed_presets[] = {unnamed_preset(2, ModelCouplings::ferromagnet, ModelField::none),
                                             unnamed_preset(2, ModelCouplings::ferromagnet, ModelField::uniform),
                                             unnamed_preset(2, ModelCouplings::ferromagnet, ModelField::random_sign),
                                             unnamed_preset(2, ModelCouplings::random_bonds, ModelField::none),
                                             unnamed_preset(2, ModelCouplings::random_bonds, ModelField::uniform),
                                             unnamed_preset(2, ModelCouplings::random_bonds, ModelField::random_sign),
                                             unnamed_preset(3, ModelCouplings::ferromagnet, ModelField::none),
                                             unnamed_preset(3, ModelCouplings::ferromagnet, ModelField::uniform),
                                             unnamed_preset(3, ModelCouplings::ferromagnet, ModelField::random_sign),
                                             unnamed_preset(3, ModelCouplings::random_bonds, ModelField::none),
                                             unnamed_preset(3, ModelCouplings::random_bonds, ModelField::uniform),
                                             unnamed_preset(3, ModelCouplings::random_bonds, ModelField::random_sign)};

constexpr const Preset& preset_of(Model model) {
  const auto number = static_cast<std::uint32_t>(model);
  if (number >= first_unnamed_number) return unnamed_presets[number - first_unnamed_number];
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

/// Calls f.template operator()<Traits<...>>() with the traits of a preset. Only presets with a name are compiled.
template <class F>
auto with_named_traits(const Preset& preset, F f) {
  switch (preset.model) {
#define PSFLIP_PRESET(name, number, dimension, couplings, field, method, title) \
  case Model::name:                                                             \
    return f.template operator()<Traits<dimension, ModelCouplings::couplings, ModelField::field>>();
#include "engine/models/presets.def"
#undef PSFLIP_PRESET
  }
  return decltype(f.template operator()<Traits<2, ModelCouplings::ferromagnet, ModelField::none>>())();
}

/// Calls f.template operator()<D>() with the dimension of a preset.
template <class F>
auto with_dimension(const Preset& preset, F f) {
  return preset.dimension == 3 ? f.template operator()<3>() : f.template operator()<2>();
}

/// The same for every member of the family, with or without a name.
template <class F>
auto with_traits(const Preset& preset, F f) {
  const auto of_field = [&]<int D, ModelCouplings C>() {
    switch (preset.field) {
      case ModelField::none:
        return f.template operator()<Traits<D, C, ModelField::none>>();
      case ModelField::uniform:
        return f.template operator()<Traits<D, C, ModelField::uniform>>();
      default:
        return f.template operator()<Traits<D, C, ModelField::random_sign>>();
    }
  };
  const auto of_dimension = [&]<int D>() {
    if (preset.has_random_bonds()) return of_field.template operator()<D, ModelCouplings::random_bonds>();
    return of_field.template operator()<D, ModelCouplings::ferromagnet>();
  };
  return with_dimension(preset, of_dimension);
}

constexpr std::string_view name_of(ModelCouplings couplings) {
  return couplings == ModelCouplings::ferromagnet ? "ferromagnet" : "random_bonds";
}
constexpr std::string_view name_of(ModelField field) {
  return field == ModelField::none ? "none" : field == ModelField::uniform ? "uniform" : "random_sign";
}
constexpr std::string_view name_of(Method method) {
  return method == Method::relaxation ? "relaxation" : method == Method::equilibrium ? "equilibrium" : "tempering";
}

}  // namespace psflip
