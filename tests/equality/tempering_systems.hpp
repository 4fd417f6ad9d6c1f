#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "engine/driver/tempering_engine.hpp"

namespace psflip::equality {

struct NamedTempering {
  std::string name;
  TemperingSystem system;
};

/// What test listings show for a parameter.
inline void PrintTo(const NamedTempering& value, std::ostream* stream) { *stream << value.name; }

/// Fields of every kind (none, weak, as strong as the coupling, strong, alone) at sizes small enough for the oracle.
/// Sample ranges begin and end inside packs; neighbouring slots are close enough that many exchanges are accepted and
/// many are not.
std::vector<NamedTempering> all_tempering_systems();

}  // namespace psflip::equality
