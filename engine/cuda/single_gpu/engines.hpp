#pragma once
#include <memory>

#include "engine/driver/engine.hpp"

/// Engines of a System on one GPU, one for each packing.
namespace psflip::cuda {

std::unique_ptr<Engine> make_sample_packed(const System& system);
std::unique_ptr<Engine> make_site_packed(const System& system);

}  // namespace psflip::cuda
