#pragma once
#include <memory>
#include <string>

#include "engine/driver/domain_engine.hpp"
#include "engine/driver/tempering_part.hpp"

namespace psflip::cuda {

/// True if this process has a GPU that the kernels support.
bool available();

/// Name of the GPU of this process (multi_gpu/device_of_rank.hpp); empty without a GPU.
std::string device_name();

/// Creates the CUDA context on that GPU, which takes a large fraction of the time of a small job.
void make_context();

/// Creates an engine that holds a System in GPU memory, at half sweep 0. Throws UserError if GPU memory is too small.
std::unique_ptr<Engine> make_engine(const System& system);

/// The same for some planes, not all, for one of several ranks. They stay on the current GPU of the calling thread.
std::unique_ptr<DomainEngine> make_domain(const System& system, const Planes& planes);

/// The same for exchange Monte Carlo, at round 0.
std::unique_ptr<TemperingEngine> make_tempering(const TemperingSystem& system);

/// The same for some of its temperature slots.
std::unique_ptr<TemperingPart> make_tempering_part(const TemperingSystem& system, const Slots& own);

}  // namespace psflip::cuda
