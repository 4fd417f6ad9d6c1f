#pragma once
#include "engine/laboratory/exchange/timing.hpp"

/// psflip's exchange of planes between ranks with a GPU each. Called by all ranks together.
namespace psflip::laboratory::device {

/// Gives each rank a GPU, in turn if there are fewer.
void use_gpu_of_rank(const Ranks& ranks);

SlabBackend gpu_slabs();

/// Bytes that a rank sends to both neighbours in a half sweep.
double bytes_of_planes(const System& system);

/// The messages of a half sweep alone, on the path that psflip takes: seconds of both together.
double seconds_of_planes(const System& system, Ranks& ranks, double seconds);

/// Whether the ranks have the spins of one GPU after some half sweeps; the answer is at rank 0.
bool have_the_spins_of_one_gpu(const System& system, Ranks& ranks, std::uint32_t half_sweeps);

}  // namespace psflip::laboratory::device
