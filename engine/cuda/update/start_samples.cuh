#pragma once
#include "engine/core/word.hpp"
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

/// Bonds that are -1 with probability p other than 1/2: where the number of a bond is below `threshold`, at most 2^32.
/// A replica of the layout stands for a direction. Grid (sites, packs).
static __global__ void fill_bonds_kernel(std::uint32_t* words, Layout layout, Addresses address, Key key,
                                         std::uint64_t threshold) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x;
  if (site >= layout.sites) return;
  const std::uint64_t pack = layout.first_pack + blockIdx.y;
  const auto limit = static_cast<std::uint32_t>(threshold);
  const std::uint32_t all = threshold >> 32 != 0 ? ~0u : 0;  // p = 1
  for (std::uint32_t parity = 0; parity < 2; ++parity)
    for (std::uint32_t mu = 0; mu < layout.replicas; ++mu) {
      std::uint32_t less = 0, equal = ~0u;
#pragma unroll
      for (std::uint32_t j = plane_count; j-- > 0;) {
        const std::uint32_t plane = numbers_at(key, address(site), parity, pack, mu, j / 4).x[j % 4];
        const std::uint32_t bit = (limit >> (31 - j)) & 1u ? ~0u : 0u;
        less = less_step(plane, bit, less);
        equal = equal_step(equal, plane, bit);
      }
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if (((equal >> lane) & 1u) == 0) continue;
        const auto rest = numbers_at(key, address(site), parity, pack, mu >> 2, residual_draw + lane);
        if (rest.x[mu & 3u] < limit << plane_count) less |= 1u << lane;
      }
      words[((static_cast<std::size_t>(blockIdx.y) * 2 + parity) * layout.replicas + mu) * layout.sites + site] =
          less | all;
    }
}

}  // namespace psflip::cuda
