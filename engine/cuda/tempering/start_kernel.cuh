#pragma once
#include "engine/cuda/tempering/shape.hpp"
#include "engine/random/address.hpp"

namespace psflip::cuda {

/// Spins at round 0 from their addresses; four sets share a Philox call. Grid (sites, slots in memory, packs).
static __global__ void fill_slots_kernel(std::uint32_t* spins, TemperingShape shape, Key key) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x, slot = blockIdx.y, pack = blockIdx.z;
  if (site >= shape.sites) return;
  for (std::uint32_t parity = 0; parity < 2; ++parity)
    for (std::uint32_t first = 0; first < shape.sets; first += 4) {
      const auto u = numbers_at(key, site, parity, shape.pack_numbers[pack], first >> 2, 0, shape.first_slot + slot);
      for (std::uint32_t set = first; set < first + 4 && set < shape.sets; ++set)
        spins[shape.spins(pack, slot) + set * shape.set_stride + parity * shape.parity_stride + site] =
            u.x[set - first];
    }
}

}  // namespace psflip::cuda
