#pragma once
#include <vector>

#include "engine/models/model.hpp"

namespace psflip {

/// The methods that the executable has for a preset: all of them for each.
inline std::vector<Method> methods_of(const Preset&) {
  return {Method::relaxation, Method::equilibrium, Method::tempering};
}

}  // namespace psflip
