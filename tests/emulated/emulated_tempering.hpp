#pragma once
#include <memory>

#include "engine/driver/engine.hpp"

namespace psflip::cuda {

/// Exchange Monte Carlo of any member of the family (engine/cuda/tempering) whose kernels the emulator runs. Sweeps
/// keep the spins of a slot in shared memory for many half sweeps, or are one half sweep per launch.
std::unique_ptr<Engine> emulated_tempering(const System& system, bool persistent);

}  // namespace psflip::cuda
