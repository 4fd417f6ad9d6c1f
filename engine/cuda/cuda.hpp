#pragma once
#include <memory>
#include <string>

#include "engine/driver/engine.hpp"
#include "engine/driver/tempering_part.hpp"

namespace psflip::cuda {

/// True when this process has a GPU that the kernels run on.
bool available();

/// Name of the GPU that this process works on; empty without one.
std::string device_name();

/// A System in the memory of the GPU, at half sweep 0. Throws UserError when the GPU lacks the memory.
std::unique_ptr<Engine> make_engine(const System& system);

/// The same for exchange Monte Carlo, at round 0.
std::unique_ptr<TemperingEngine> make_tempering(const TemperingSystem& system);

/// The same for some of its temperature slots.
std::unique_ptr<TemperingPart> make_tempering_part(const TemperingSystem& system, const Slots& own);

}  // namespace psflip::cuda
