#pragma once
#include <memory>

#include "engine/core/domain.hpp"
#include "engine/cuda/lattice/lattices.hpp"

namespace psflip::cuda {

/// Lattices of a preset at one temperature, 32 samples in a word: all planes or some. Throws UserError if there are no
/// kernels for the System.
std::unique_ptr<PlaneLattices> make_samples(const System& system, const Planes& planes);

/// Most bytes of these lattices in the memory of the GPU, without the packets and queues of kernels, which are small.
double bytes_of_samples(const System& system, const Planes& planes);

}  // namespace psflip::cuda
