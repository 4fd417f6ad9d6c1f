#pragma once
#include <memory>

#include "engine/driver/engine.hpp"

/// What stands behind the door (cuda.hpp): one engine for each way of packing.
namespace psflip::cuda {

std::unique_ptr<Engine> make_sample_packed(const System& system);
std::unique_ptr<Engine> make_site_packed(const System& system);

}  // namespace psflip::cuda
