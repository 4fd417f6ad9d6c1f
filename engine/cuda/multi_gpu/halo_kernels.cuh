#pragma once
#include "engine/cuda/update/plane_memory.hpp"

/// Messages about the outer planes of slabs: two consecutive ones, [0] for the side of smaller coordinates.
namespace psflip::cuda {

/// Index in memory of word number `i` of the two messages: of the outer plane (`ghost` 0) or of the ghost next to it
/// (1).
__device__ __forceinline__ std::size_t outer_index(const PlaneMemory& memory, std::uint32_t parity, std::size_t i,
                                                   std::uint32_t ghost) {
  const std::size_t length = memory.in_message();
  const bool larger = i >= length;
  return memory.index(i - (larger ? length : 0), parity, larger ? memory.planes + ghost : 1 - ghost);
}

/// Copies the outer planes of one parity to the messages.
static __global__ void gather_planes_kernel(const __grid_constant__ PlaneMemory memory, std::uint32_t parity,
                                            std::uint32_t* messages) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < 2 * memory.in_message()) messages[i] = memory.words[outer_index(memory, parity, i, 0)];
}

/// Copies the messages of the neighbours to the ghosts.
static __global__ void scatter_planes_kernel(const __grid_constant__ PlaneMemory memory, std::uint32_t parity,
                                             const std::uint32_t* messages) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < 2 * memory.in_message()) memory.words[outer_index(memory, parity, i, 1)] = messages[i];
}

}  // namespace psflip::cuda
