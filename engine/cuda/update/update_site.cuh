#pragma once
#include "engine/cuda/update/pack_view.cuh"
#include "engine/cuda/update/site_field_decision.cuh"

/// The update of one site of a lattice whose samples share words.
namespace psflip::cuda {

/// Bonds between a site and its neighbours.
template <class T>
__device__ __forceinline__ void load_couplings(const PackView& v, std::uint32_t parity, std::uint32_t site,
                                               const std::uint32_t (&neighbour)[T::neighbours], std::uint32_t* J) {
#pragma unroll
  for (int mu = 0; mu < T::dimension; ++mu) {  // a site stores the bonds to its +mu neighbours
    J[2 * mu] = v.couplings(parity)[mu * v.sites + site];
    J[2 * mu + 1] = v.couplings(1 - parity)[mu * v.sites + neighbour[2 * mu + 1]];
  }
}

/// Updates one site of G replicas in place. `site` and `neighbour` are indices in memory, `address` is the compact
/// index in the full lattice.
template <class T, class Decision>
__device__ __forceinline__ void update_site(const PackView& v, std::uint32_t parity, std::uint32_t site,
                                            std::uint32_t address, const std::uint32_t (&neighbour)[T::neighbours],
                                            const HalfSweep& s, const Decision& decide) {
  constexpr int G = Decision::group;
  std::uint32_t J[T::neighbours] = {};
  if constexpr (T::has_couplings) load_couplings<T>(v, parity, site, neighbour, J);
  std::uint32_t spin[G], bond[G][T::neighbours];
#pragma unroll
  for (int r = 0; r < G; ++r) {
    const std::uint32_t* other = v.spins(1 - parity) + r * v.sites;
    spin[r] = v.spins(parity)[r * v.sites + site];
#pragma unroll
    for (int k = 0; k < T::neighbours; ++k) bond[r][k] = xor3(spin[r], J[k], other[neighbour[k]]);
  }
  decide(s, address, decide.draw(s, address), spin, bond);
#pragma unroll
  for (int r = 0; r < G; ++r) v.spins(parity)[r * v.sites + site] = spin[r];
}

/// The same for one replica in a field. `fields` are those of the parity, if the field has words.
template <class T>
__device__ __forceinline__ void update_site_in_field(const PackView& v, const std::uint32_t* fields,
                                                     std::uint32_t parity, std::uint32_t site, std::uint32_t address,
                                                     const std::uint32_t (&neighbour)[T::neighbours],
                                                     const HalfSweep& s, const SiteFieldDecision<T>& decide) {
  Site<T, std::uint32_t> words = {};
  words.spin = v.spins(parity)[site];
#pragma unroll
  for (int k = 0; k < T::neighbours; ++k) words.neighbour[k] = v.spins(1 - parity)[neighbour[k]];
  if constexpr (T::has_couplings) load_couplings<T>(v, parity, site, neighbour, words.coupling);
  if constexpr (T::has_field_words) words.field = fields[site];
  v.spins(parity)[site] = words.spin ^ decide.flips(s, address, words);
}

}  // namespace psflip::cuda
