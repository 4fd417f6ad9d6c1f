#pragma once
#include "engine/cuda/march.cuh"
#include "engine/cuda/pack_view.cuh"

/// One half sweep of cubic lattices in global memory: for sizes that no shared memory holds.
namespace psflip::cuda {

inline constexpr int marching_run = 8;  ///< planes that a thread marches through
inline constexpr unsigned marching_threads = 256;

/// A thread updates a run of planes of one column, 4 replicas at most; neighbours in the plane come through the L1
/// cache. L_ is L when known at compile time, else 0. Grid (columns of a plane, runs, packs).
template <int L_, class Decision>
__global__ void __launch_bounds__(marching_threads)
    marching_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout,
                    const __grid_constant__ KeySchedule keys, std::uint32_t half_sweep, std::uint32_t first_replica,
                    const __grid_constant__ Decision decide) {
  constexpr int G = Decision::group, RUN = L_ % marching_run == 0 && L_ ? marching_run : 0;
  constexpr std::uint32_t slots_of_warp = 32 * (G + 1);  // what a site adds to fewer than 32 entries
  __shared__ uint4 slots[Decision::uses_queue ? marching_threads / 32 * slots_of_warp : 1];
  const std::uint32_t L = L_ ? L_ : layout.L, plane = L * L / 2, place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place >= plane) return;
  PackView view = layout.view<3>(spins, couplings, blockIdx.z, first_replica);
  if (L_) view.sites = plane * L;
  const Slab slab{view, view, view, plane, L, L, 0};
  const Column column(place, L);
  const std::uint32_t z0 = blockIdx.y * marching_run, z1 = min(L, z0 + marching_run), parity = half_sweep & 1u;
  const HalfSweep s(keys, layout.first_pack + blockIdx.z, half_sweep, first_replica);
  ResidualQueue queue(slots + threadIdx.x / 32 * (Decision::uses_queue ? slots_of_warp : 0));
  const auto settle = [&] {
    queue.settle<3>(s, decide.thresholds, view.spins(parity), [&](std::uint32_t word) {
      return SiteOfWord{word % view.sites, first_replica + word / view.sites};
    });
  };
  const auto defer = [&](const auto& pending, std::uint32_t i) {
    if constexpr (Decision::uses_queue) {
#pragma unroll
      for (int r = 0; r < G; ++r) queue.push(pending.equal[r], pending.ones[r], pending.twos[r], r * view.sites + i);
      while (queue.full()) settle();
    }
  };
  auto drawn = decide.draw(s, z0 * plane + place);
  march<G, RUN, false>(slab, column, z0, z1, parity, s, s, decide, drawn, defer);
  while (Decision::uses_queue && !queue.empty()) settle();
}

}  // namespace psflip::cuda
