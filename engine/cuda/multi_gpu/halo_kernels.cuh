#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

/// The planes that slabs send each other: their location in memory and their order in a message.
namespace psflip::cuda {

/// Memory of slabs: words[pack][parity][field][plane][word], with a ghost before the first and after the last plane. A
/// field is a replica; with packed sites a pack is one lattice.
struct PlaneMemory {
  std::uint32_t* words;
  std::uint32_t packs, fields, planes, plane;  ///< own planes, words of one

  PSFLIP_HD std::size_t in_message() const { return std::size_t{packs} * fields * plane; }
  /// Index in memory of word `i` of a message [pack][field][word] about plane number `stored`, counted from the first
  /// ghost, which is 0.
  PSFLIP_HD std::size_t index(std::size_t i, std::uint32_t parity, std::uint32_t stored) const {
    const std::size_t row = i / plane, pack = row / fields, field = row - pack * fields;
    return (((2 * pack + parity) * fields + field) * (planes + 2) + stored) * plane + (i - row * plane);
  }
};

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
