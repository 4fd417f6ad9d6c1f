#pragma once
#include "engine/cuda/update/update_site.cuh"

/// A half sweep of many samples of one lattice in global memory.
namespace psflip::cuda {

/// One half sweep, one thread per site: for lattices that exceed the shared memory of a multiprocessor. Grid (sites,
/// packs).
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

}  // namespace psflip::cuda
