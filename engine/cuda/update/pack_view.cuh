#pragma once
#include "engine/core/lattice.hpp"
#include "engine/cuda/update/decisions.cuh"
#include "engine/cuda/update/pack_layout.hpp"

namespace psflip::cuda {

/// Compact indices of the neighbours of a site: x + 1, x - 1, y + 1, y - 1, z + 1, z - 1.
template <int D>
__device__ __forceinline__ void find_neighbours(const Lattice<D>& lattice, std::uint32_t parity, std::uint32_t site,
                                                std::uint32_t (&neighbour)[2 * D]) {
  const std::uint32_t number = site / lattice.half(), c = site - number * lattice.half();
  const Row<D> row = lattice.row(number, parity);
  neighbour[0] = row.begin + lattice.right(c, row.shift);
  neighbour[1] = row.begin + lattice.left(c, row.shift);
#pragma unroll
  for (int a = 0; a < D - 1; ++a) {
    neighbour[2 + 2 * a] = row.plus[a] + c;
    neighbour[3 + 2 * a] = row.minus[a] + c;
  }
}

}  // namespace psflip::cuda
