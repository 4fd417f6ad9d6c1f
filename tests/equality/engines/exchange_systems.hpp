#pragma once
#include "systems.hpp"

namespace psflip::equality {

/// Exchange Monte Carlo with random fields of every strength (none, weak, as strong as the coupling, strong, alone) at
/// sizes small enough for the oracle. Samples begin and end inside packs; neighbouring slots are close enough that many
/// exchanges are accepted and many are not.
std::vector<NamedSystem> all_exchange_systems();

}  // namespace psflip::equality
