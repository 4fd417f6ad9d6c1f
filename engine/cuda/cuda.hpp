#pragma once
#include <memory>
#include <string>

#include "engine/driver/domain_engine.hpp"
#include "engine/driver/tempering_part.hpp"

namespace psflip::cuda {

/// True when this process has a GPU that the kernels run on.
bool available();

/// Name of the GPU that this process works on (device_of_rank.hpp); empty without one.
std::string device_name();

/// Makes what CUDA needs on that GPU before anything else, a good part of the time of a small job.
void make_context();

/// A System in the memory of the GPU, at half sweep 0. Throws UserError when the GPU lacks the memory.
std::unique_ptr<Engine> make_engine(const System& system);

/// Some planes of it, not all, for one of several processes. They stay on the GPU that the calling thread works on.
std::unique_ptr<DomainEngine> make_domain(const System& system, const Planes& planes);

/// The same for exchange Monte Carlo, at round 0.
std::unique_ptr<TemperingEngine> make_tempering(const TemperingSystem& system);

/// The same for some of its temperature slots.
std::unique_ptr<TemperingPart> make_tempering_part(const TemperingSystem& system, const Slots& own);

}  // namespace psflip::cuda
