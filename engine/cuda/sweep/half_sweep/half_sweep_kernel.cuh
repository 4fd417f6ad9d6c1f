#pragma once
#include "engine/cuda/sweep/half_sweep/plane_segments.hpp"
#include "engine/cuda/update/update_site.cuh"

namespace psflip::cuda {

/// half_sweep_kernel for segments of planes with a ghost plane on each side. Grid (sites of a segment, segments,
/// packs).
template <class T, class Decision>
__global__ void __launch_bounds__(256)
    half_sweep_kernel(std::uint32_t* spins, const std::uint32_t* couplings, const std::uint32_t* fields, Layout layout,
                      const __grid_constant__ Domain<T::dimension> domain,
                      const __grid_constant__ PlaneSegments segments, const __grid_constant__ KeySchedule keys,
                      std::uint32_t half_sweep, std::uint32_t first_replica, const __grid_constant__ Decision decide) {
  constexpr int D = T::dimension;
  const std::uint32_t site = blockIdx.x * blockDim.x + threadIdx.x, half = domain.half(), parity = half_sweep & 1u;
  const std::uint32_t in_plane = domain.rows_in_plane(),
                      number = segments.begin_of(blockIdx.y) * in_plane + site / half, c = site % half;
  if (number >= segments.end_of(blockIdx.y) * in_plane) return;
  const DomainRow<D> row = domain.row(number - domain.ghosts * in_plane, parity);
  std::uint32_t neighbour[T::neighbours];
  find_neighbours(domain.lattice(), row, c, neighbour);
  const HalfSweep s(keys, layout.first_pack + blockIdx.z, half_sweep, first_replica);
  const PackView view = layout.view<D>(spins, couplings, blockIdx.z, first_replica);
  if constexpr (decides_in_field<T, Decision>)
    update_site_in_field<T>(view, layout.fields(fields, blockIdx.z, parity), parity, row.begin + c, row.site + c,
                            neighbour, s, decide);
  else
    update_site<T>(view, parity, row.begin + c, row.site + c, neighbour, s, decide);
}

}  // namespace psflip::cuda
