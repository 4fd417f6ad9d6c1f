#pragma once
#include "engine/cuda/update/plane_memory.hpp"

/// Messages about the outer planes of slabs: two consecutive ones, [0] for the side of smaller coordinates.
namespace psflip::cuda {

/// Index in memory of word number `i` of the two messages: of the own outer planes or of the ghosts next to them.
__device__ __forceinline__ std::size_t outer_index(const PlaneMemory& memory, std::uint32_t parity, std::size_t i,
                                                   bool of_ghosts) {
  const std::size_t length = memory.in_message();
  const int side = i < length ? 0 : 1;
  return memory.index(i - side * length, parity, of_ghosts ? memory.ghost(side) : memory.outer(side));
}

/// Copies the outer planes to the messages.
static __global__ void gather_planes_kernel(const __grid_constant__ PlaneMemory memory, std::uint32_t parity,
                                            std::uint32_t* messages) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < 2 * memory.in_message()) messages[i] = memory.words[outer_index(memory, parity, i, false)];
}

/// Copies the messages of the neighbours to the ghosts.
static __global__ void scatter_planes_kernel(const __grid_constant__ PlaneMemory memory, std::uint32_t parity,
                                             const std::uint32_t* messages) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < 2 * memory.in_message()) memory.words[outer_index(memory, parity, i, true)] = messages[i];
}

}  // namespace psflip::cuda
