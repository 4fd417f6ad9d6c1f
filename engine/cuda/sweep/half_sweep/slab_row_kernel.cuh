#pragma once
#include "engine/cuda/sweep/half_sweep/plane_segments.hpp"
#include "engine/cuda/update/update_site.cuh"

namespace psflip::cuda {

/// half_sweep_kernel for segments of rows of square lattices with a ghost row on each side. Grid (sites of a segment,
/// segments, packs).
template <class Decision>
__global__ void __launch_bounds__(256)
    row_slab_kernel(std::uint32_t* spins, Layout layout, const __grid_constant__ Domain<2> domain,
                    const __grid_constant__ PlaneSegments segments, const __grid_constant__ KeySchedule keys,
                    std::uint32_t half_sweep, const __grid_constant__ Decision decide) {
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x, half = domain.half(), parity = half_sweep & 1u;
  const std::uint32_t number = segments.begin_of(blockIdx.y) + site / half, c = site % half;
  if (number >= segments.end_of(blockIdx.y)) return;
  const DomainRow<2> row = domain.row(number - 1, parity);  // DomainRow numbers do not count the ghost
  const Lattice<2> lattice = domain.lattice();
  const std::uint32_t neighbour[4] = {row.begin + lattice.right(c, row.shift), row.begin + lattice.left(c, row.shift),
                                      row.plus[0] + c, row.minus[0] + c};
  const HalfSweep s(keys, layout.first_pack + blockIdx.z, half_sweep, 0);
  update_site<2>(layout.view<2>(spins, nullptr, blockIdx.z, 0), parity, row.begin + c, row.site + c, neighbour, s,
                 decide);
}

}  // namespace psflip::cuda
