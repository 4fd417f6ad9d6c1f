#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "engine/models/system.hpp"

namespace psflip::equality {

struct NamedSystem {
  std::string name;
  System system;
};

/// The text of a parameter in test listings.
inline void PrintTo(const NamedSystem& value, std::ostream* stream) { *stream << value.name; }

/// Random bonds and ferromagnets at one temperature: every size, mode and packing that the contract lists, small enough
/// for the oracle. Samples begin and end inside packs; small lattices have more samples than the widest word has bits.
/// A round is a half sweep.
std::vector<NamedSystem> all_systems();

}  // namespace psflip::equality
