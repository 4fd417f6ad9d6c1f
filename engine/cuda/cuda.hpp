#pragma once
#include <memory>
#include <string>

#include "engine/driver/memory/job_memory.hpp"

namespace psflip::cuda {

/// Makes CUDA open two connections to the GPU, not eight, since each takes 13 to 20 ms at the start and end of a
/// process (an H200). An environment variable CUDA_DEVICE_MAX_CONNECTIONS that is set stays. More than two streams
/// share them, so that their kernels may run one after the other; kernels in streams that wait for each other (ranks)
/// must not. To be called before all others, while the process has one thread.
void limit_connections();

/// True if this process has a GPU that the kernels support.
bool available();

/// Name of the GPU of this process (multi_gpu/device_of_rank.hpp); empty without a GPU.
std::string device_name();

/// Creates the CUDA context on that GPU, which takes a large fraction of the time of a small job.
void make_context();

/// Bytes of an engine in the memory of the GPU and of the host, before it is made: make_engine() for the full share of
/// a system, make_part() for another.
EngineBytes bytes_of_engine(const System& system, const Share& share);

/// Bytes of memory that are free on the GPU of this process.
double available_memory();

/// Creates an engine that holds a System in GPU memory, at round 0. Throws UserError if the GPU cannot simulate it.
std::unique_ptr<Engine> make_engine(const System& system);

/// The same for one of several ranks: some planes, not all, or some temperature slots. They stay on the current GPU of
/// the calling thread.
std::unique_ptr<PartEngine> make_part(const System& system, const Share& share);

}  // namespace psflip::cuda
