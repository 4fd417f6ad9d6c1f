#pragma once
#include <memory>
#include <string>

#include "engine/driver/part_engine.hpp"

namespace psflip::cuda {

/// True if this process has a GPU that the kernels support.
bool available();

/// Name of the GPU of this process (multi_gpu/device_of_rank.hpp); empty without a GPU.
std::string device_name();

/// Creates the CUDA context on that GPU, which takes a large fraction of the time of a small job.
void make_context();

/// Creates an engine that holds a System in GPU memory, at round 0. Throws UserError if the GPU cannot simulate it.
std::unique_ptr<Engine> make_engine(const System& system);

/// The same for one of several ranks: some planes, not all, or some temperature slots. They stay on the current GPU of
/// the calling thread.
std::unique_ptr<PartEngine> make_part(const System& system, const Share& share);

}  // namespace psflip::cuda
