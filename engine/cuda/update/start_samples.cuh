#pragma once
#include "engine/cuda/update/pack_layout.hpp"
#include "engine/random/address.hpp"

/// Words of many samples at half sweep 0, from their addresses.
namespace psflip::cuda {

/// Spins, or couplings or fields if a replica of the layout stands for a direction or for the field: a Philox call
/// gives the words of four of them. Grid (sites, packs).
static __global__ void fill_words_kernel(std::uint32_t* words, Layout layout, Addresses address, Key key) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x;
  if (site >= layout.sites) return;
  for (std::uint32_t parity = 0; parity < 2; ++parity)
    for (std::uint32_t r0 = 0; r0 < layout.replicas; r0 += 4) {
      const auto u = numbers_at(key, address(site), parity, layout.first_pack + blockIdx.y, r0 >> 2, 0);
      for (std::uint32_t r = r0; r < r0 + 4 && r < layout.replicas; ++r)
        words[((static_cast<std::size_t>(blockIdx.y) * 2 + parity) * layout.replicas + r) * layout.sites + site] =
            u.x[r - r0];
    }
}

}  // namespace psflip::cuda
