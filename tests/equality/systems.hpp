#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "engine/driver/engine.hpp"

namespace psflip::equality {

struct NamedSystem {
  std::string name;
  System system;
};

/// What test listings show for a parameter.
inline void PrintTo(const NamedSystem& value, std::ostream* stream) { *stream << value.name; }

/// Every model, legal mode and packing at every size that the contract lists, small enough for the oracle. Sample
/// ranges begin and end inside packs; small lattices have more samples than the widest word has bits.
std::vector<NamedSystem> all_systems();

}  // namespace psflip::equality
