#pragma once
#include <cuda_runtime_api.h>

#include "engine/cuda/tempering/arrays.hpp"
#include "engine/cuda/tempering/field_cube/shape.hpp"

/// Launches of the kernels for two sets of a random field on a cubic lattice. Units and slots are counted from the
/// first in memory.
namespace psflip::cuda {

/// Counts the energies of `units` units from `first` on, and the -1 spins of their planes.
void start_energies(const FieldCubeShape& shape, const TemperingArrays& a, std::uint32_t first, std::uint32_t units,
                    cudaStream_t stream);
void start_planes(const FieldCubeShape& shape, const TemperingArrays& a, std::uint32_t first, std::uint32_t units,
                  cudaStream_t stream);

/// Exchanges the spins of slots `first` to `last`; `odd` is the parity of the colder slots of pairs. If the round is
/// measured, also counts the sites where the replicas differ.
void start_swaps(const FieldCubeShape& shape, const TemperingArrays& a, std::uint32_t first, std::uint32_t last,
                 std::uint32_t odd, bool measured, cudaStream_t stream);
/// Adds the values of a round to the sums of these slots.
void start_sums(const FieldCubeShape& shape, const TemperingArrays& a, std::uint32_t first, std::uint32_t last,
                std::uint32_t odd, cudaStream_t stream);

}  // namespace psflip::cuda
