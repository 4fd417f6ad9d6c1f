#pragma once
#include <string>

#include "engine/driver/engine.hpp"

namespace psflip::golden {

/// The stored lines: stream_version, then a few integers and a hash of the final state of one tiny run for each model,
/// mode and packing, and for each way to decide about a spin in a field.
std::string trajectories(const MakeEngine& make_engine);

}  // namespace psflip::golden
