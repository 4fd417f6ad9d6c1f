#pragma once
#include "engine/cuda/sweep/persistent/shared_pack.cuh"
#include "engine/cuda/update/update_site.cuh"

namespace psflip::cuda {

/// Many half sweeps of the square lattice with a pack of one replica in shared memory. Grid (packs).
template <class T, class Decision>
__global__ void __launch_bounds__(512)
    persistent_square_kernel(std::uint32_t* spins, Layout layout, const __grid_constant__ KeySchedule keys,
                             std::uint32_t first_half_sweep, std::uint32_t half_sweeps,
                             const __grid_constant__ Decision decide) {
  extern __shared__ std::uint32_t shared[];
  using Pack = SharedPack<2, Decision::group, false>;
  const std::uint32_t sites = layout.sites;
  const PackView global = layout.view<2>(spins, nullptr, blockIdx.x, 0);
  Pack::load(global, shared, sites, 0, sites);
  __syncthreads();
  for (std::uint32_t h = first_half_sweep; h != first_half_sweep + half_sweeps; ++h) {
    const HalfSweep s(keys, layout.first_pack + blockIdx.x, h, 0);
    for (std::uint32_t site = threadIdx.x; site < sites; site += blockDim.x) {
      std::uint32_t neighbour[4];
      find_neighbours(Lattice<2>{layout.L}, h & 1u, site, neighbour);
      update_site<T>(Pack::view(shared, sites), h & 1u, site, site, neighbour, s, decide);
    }
    __syncthreads();
  }
  Pack::store(global, shared, sites, 0, sites);
}

}  // namespace psflip::cuda
