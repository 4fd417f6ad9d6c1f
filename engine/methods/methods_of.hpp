#pragma once
#include <vector>

#include "engine/models/model.hpp"

namespace psflip {

/// The methods that the executable has for a preset. Every preset relaxes and equilibrates; presets whose own method is
/// tempering also exchange temperatures.
inline std::vector<Method> methods_of(const Preset& preset) {
  std::vector<Method> methods = {Method::relaxation, Method::equilibrium};
  if (preset.method == Method::tempering) methods.push_back(Method::tempering);
  return methods;
}

}  // namespace psflip
