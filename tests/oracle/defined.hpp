#pragma once
#include "engine/models/system.hpp"

namespace psflip::oracle {

/// The system itself. Throws std::invalid_argument if docs/randomness.md does not define what it does.
const System& defined(const System& system);

}  // namespace psflip::oracle
