#pragma once
#include "engine/cuda/update/pack_view.cuh"

/// Couplings and spins of many samples at half sweep 0.
namespace psflip::cuda {

/// Couplings and spins at half sweep 0 from their addresses. Grid (sites, packs).
template <int D>
__global__ void fill_couplings_kernel(std::uint32_t* couplings, Layout layout, Addresses address, Key key) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x;
  if (site >= layout.sites) return;
  for (std::uint32_t parity = 0; parity < 2; ++parity) {
    const auto u = numbers_at(key, address(site), parity, layout.first_pack + blockIdx.y, 0, 0);
    for (int mu = 0; mu < D; ++mu)
      couplings[((static_cast<std::size_t>(blockIdx.y) * 2 + parity) * D + mu) * layout.sites + site] = u.x[mu];
  }
}

static __global__ void fill_spins_kernel(std::uint32_t* spins, Layout layout, Addresses address, Key key) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x;
  if (site >= layout.sites) return;
  for (std::uint32_t parity = 0; parity < 2; ++parity)
    for (std::uint32_t r0 = 0; r0 < layout.replicas; r0 += 4) {
      const auto u = numbers_at(key, address(site), parity, layout.first_pack + blockIdx.y, r0 >> 2, 0);
      for (std::uint32_t r = r0; r < r0 + 4 && r < layout.replicas; ++r)
        spins[((static_cast<std::size_t>(blockIdx.y) * 2 + parity) * layout.replicas + r) * layout.sites + site] =
            u.x[r - r0];
    }
}

}  // namespace psflip::cuda
