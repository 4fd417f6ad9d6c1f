#pragma once
#include <cstdint>

namespace psflip::cuda {

/// The lattice of a thread, and the number of the thread among those of the lattice.
struct ThreadOfLattice {
  std::uint32_t sample, number;

  /// For a grid with `blocks_of_lattice` thread blocks for each lattice.
  __device__ __forceinline__ explicit ThreadOfLattice(std::uint32_t blocks_of_lattice)
      : sample(blockIdx.x / blocks_of_lattice),
        number((blockIdx.x - sample * blocks_of_lattice) * blockDim.x + threadIdx.x) {}
};

}  // namespace psflip::cuda
