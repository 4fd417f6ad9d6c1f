#pragma once
#include <optional>
#include <string>

#include "engine/io/labelled_file.hpp"
#include "engine/models/model.hpp"

/// Which model and method a file is of (engine/models/presets.def). The method decides how the file is laid out.
namespace psflip::analysis {

/// The preset of that name; nullptr if there is none.
inline const Preset* find_preset(std::string_view name) {
  const auto model = model_named(name);
  return model ? &preset_of(*model) : nullptr;
}

/// The method of that name; nothing if there is none.
inline std::optional<Method> method_named(std::string_view name) {
  for (const Method method : {Method::relaxation, Method::equilibrium, Method::tempering})
    if (name_of(method) == name) return method;
  return std::nullopt;
}

/// The method of a file of `preset`. Files of version 0.1 name none: then it is the method of the preset. Nothing if
/// the attribute names an unknown method.
inline std::optional<Method> method_in(const io::Attributes& attributes, const Preset& preset) {
  const auto found = attributes.find("method");
  if (found == attributes.end()) return preset.method;
  const auto* name = std::get_if<std::string>(&found->second);
  return name != nullptr ? method_named(*name) : std::nullopt;
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
