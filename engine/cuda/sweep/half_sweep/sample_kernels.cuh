#pragma once
#include "engine/cuda/update/pack_view.cuh"

/// Kernels for many samples of one lattice. A pack is one 32-bit word; memory is spins[pack][parity][replica][site] and
/// couplings[pack][parity][direction][site], sites by compact index, so neighbouring threads read neighbouring words.
namespace psflip::cuda {

/// Updates one site of G replicas in place: every backend loop over sites ends here. `site` and `neighbour` are places
/// in memory, `address` is the compact index in the whole lattice.
template <int D, class Decision>
__device__ __forceinline__ void update_site(const PackView& v, std::uint32_t parity, std::uint32_t site,
                                            std::uint32_t address, const std::uint32_t (&neighbour)[2 * D],
                                            const HalfSweep& s, const Decision& decide) {
  constexpr int G = Decision::group;
  std::uint32_t J[2 * D] = {};
  if constexpr (D == 3) {
#pragma unroll
    for (int mu = 0; mu < D; ++mu) {  // a site stores the bonds to its +mu neighbours
      J[2 * mu] = v.couplings(parity)[mu * v.sites + site];
      J[2 * mu + 1] = v.couplings(1 - parity)[mu * v.sites + neighbour[2 * mu + 1]];
    }
  }
  std::uint32_t spin[G], bond[G][2 * D];
#pragma unroll
  for (int r = 0; r < G; ++r) {
    const std::uint32_t* other = v.spins(1 - parity) + r * v.sites;
    spin[r] = v.spins(parity)[r * v.sites + site];
#pragma unroll
    for (int k = 0; k < 2 * D; ++k) bond[r][k] = xor3(spin[r], J[k], other[neighbour[k]]);
  }
  decide(s, address, decide.draw(s, address), spin, bond);
#pragma unroll
  for (int r = 0; r < G; ++r) v.spins(parity)[r * v.sites + site] = spin[r];
}

/// One half sweep, one thread per site: for lattices that no SM can hold. Grid (sites, packs).
template <int D, class Decision>
__global__ void __launch_bounds__(256)
    half_sweep_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout,
                      const __grid_constant__ KeySchedule keys, std::uint32_t half_sweep, std::uint32_t first_replica,
                      const __grid_constant__ Decision decide) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x;
  if (site >= layout.sites) return;
  const std::uint32_t parity = half_sweep & 1u;
  std::uint32_t neighbour[2 * D];
  find_neighbours(Lattice<D>{layout.L}, parity, site, neighbour);
  const HalfSweep s(keys, layout.first_pack + blockIdx.y, half_sweep, first_replica);
  update_site<D>(layout.view<D>(spins, couplings, blockIdx.y, first_replica), parity, site, site, neighbour, s, decide);
}

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
