#pragma once
#include "engine/core/lattice.hpp"
#include "engine/cuda/update/decisions.cuh"
#include "engine/cuda/update/pack_layout.hpp"

namespace psflip::cuda {

/// Indices of the neighbours of site c of a row: x + 1, x - 1, y + 1, y - 1, z + 1, z - 1.
template <int D, class AnyRow>
__device__ __forceinline__ void find_neighbours(const Lattice<D>& lattice, const AnyRow& row, std::uint32_t c,
                                                std::uint32_t (&neighbour)[2 * D]) {
  neighbour[0] = row.begin + lattice.right(c, row.shift);
  neighbour[1] = row.begin + lattice.left(c, row.shift);
#pragma unroll
  for (int a = 0; a < D - 1; ++a) {
    neighbour[2 + 2 * a] = row.plus[a] + c;
    neighbour[3 + 2 * a] = row.minus[a] + c;
  }
}

/// The same for a compact index of a site.
template <int D>
__device__ __forceinline__ void find_neighbours(const Lattice<D>& lattice, std::uint32_t parity, std::uint32_t site,
                                                std::uint32_t (&neighbour)[2 * D]) {
  const std::uint32_t number = site / lattice.half();
  find_neighbours(lattice, lattice.row(number, parity), site - number * lattice.half(), neighbour);
}

}  // namespace psflip::cuda
