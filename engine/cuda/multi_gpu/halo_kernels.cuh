#pragma once
#include "engine/cuda/update/plane_memory.hpp"

/// Messages about the outer planes of slabs.
namespace psflip::cuda {

/// Copies the outer planes of one parity to two consecutive messages, [0] towards smaller coordinates.
static __global__ void gather_planes_kernel(const __grid_constant__ PlaneMemory memory, std::uint32_t parity,
                                            std::uint32_t* messages) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, length = memory.in_message();
  if (thread >= 2 * length) return;
  const bool larger = thread >= length;
  const std::size_t i = thread - (larger ? length : 0);
  messages[thread] = memory.words[memory.index(i, parity, larger ? memory.planes : 1)];
}

/// Copies two messages, [0] from smaller coordinates, to the ghosts.
static __global__ void scatter_planes_kernel(const __grid_constant__ PlaneMemory memory, std::uint32_t parity,
                                             const std::uint32_t* messages) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, length = memory.in_message();
  if (thread >= 2 * length) return;
  const bool larger = thread >= length;
  const std::size_t i = thread - (larger ? length : 0);
  memory.words[memory.index(i, parity, larger ? memory.planes + 1 : 0)] = messages[thread];
}

}  // namespace psflip::cuda
