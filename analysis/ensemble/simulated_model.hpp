#pragma once
#include <string>

#include "engine/models/model.hpp"

/// How files of a preset of the registry (engine/models/presets.def) are laid out. The method decides it.
namespace psflip::analysis {

/// The preset of that name; nullptr if there is none.
inline const Preset* find_preset(std::string_view name) {
  const auto model = model_named(name);
  return model ? &preset_of(*model) : nullptr;
}

/// Axis of the sums in files: measured times after a quench, or bins of measurements.
inline std::string moment_axis(Method method) { return method == Method::relaxation ? "time" : "bin"; }

/// The attribute that holds the sweeps between two measurements or exchanges; empty if there is none.
inline std::string interval_attribute(Method method) {
  return method == Method::equilibrium ? "measure_interval" : method == Method::tempering ? "exchange_interval" : "";
}

/// All names, for a message: "ea3d, ising2d and rfim3d".
inline std::string preset_names() {
  std::string text;
  for (const Preset& preset : presets) {
    if (!text.empty()) text += &preset == &presets[std::size(presets) - 1] ? " and " : ", ";
    text += preset.name;
  }
  return text;
}

}  // namespace psflip::analysis
