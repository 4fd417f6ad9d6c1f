#pragma once
#include "engine/cuda/update/pack_view.cuh"

/// The update of one site of a lattice whose samples share words.
namespace psflip::cuda {

/// Updates one site of G replicas in place. `site` and `neighbour` are indices in memory, `address` is the compact
/// index in the full lattice.
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

}  // namespace psflip::cuda
