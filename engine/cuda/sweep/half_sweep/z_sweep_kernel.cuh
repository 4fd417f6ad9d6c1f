#pragma once
#include "engine/cuda/sweep/half_sweep/plane_segments.hpp"
#include "engine/cuda/update/pack_queue.cuh"
#include "engine/cuda/update/z_sweep.cuh"

/// One half sweep of cubic lattices in global memory: for sizes that exceed shared memory.
namespace psflip::cuda {

/// Entries that a complete warp can add to its queue between two checks of the queue: fewer than 32, and those of a
/// site of 32 threads.
template <class Decision>
inline constexpr std::uint32_t slots_of_warp = Decision::uses_queue ? 32 * (Decision::group + 1) : 0;
/// Memory for the queues of all warps of a block.
template <class Decision>
inline constexpr std::uint32_t slots_of_block = z_sweep_threads / 32 * slots_of_warp<Decision> + 1;

/// Half sweep of one thread: the planes z0 ... z1 - 1 of one column in global memory. SEGMENT is z1 - z0 if known at
/// compile time, else 0. `slots` are the queues of the warps of the block. IN_STEP, ORIGIN, `steps`, `first`: see
/// z_sweep().
template <int SEGMENT, bool IN_STEP = false, Origin ORIGIN = Origin{}, class Decision, class First = NotDrawn>
__device__ __forceinline__ void z_sweep_segment(const BlockPlanes& block, const Column& column, std::uint32_t z0,
                                                std::uint32_t z1, std::uint32_t parity, const HalfSweep& s,
                                                const Decision& decide, uint4* slots, std::uint32_t steps = 0,
                                                const First& first = {}) {
  const std::uint32_t first_site = block.first_plane * block.plane;
  PackView pack = block.own;
  pack.first_spin -= ORIGIN.replica * pack.sites;
  PackQueue<Decision, SharedEntries> queue(slots + threadIdx.x / 32 * slots_of_warp<Decision>, pack, first_site);
  const auto defer = [&](const auto& pending, std::uint32_t i) {
    queue.push(pending, i);
    while (queue.full()) queue.settle(s, decide, parity);
  };
  auto drawn = decide.draw(s, first_site + z0 * block.plane + column.index);
  z_sweep<Decision::group, SEGMENT, false, IN_STEP, ORIGIN>(block, column, z0, z1, parity, s, s, decide, drawn, defer,
                                                            steps, first);
  queue.settle_all(s, decide, parity);
}

/// One half sweep of full lattices of a size known at compile time, a multiple of slab_segment. Neighbours in the plane
/// are read through the L1 cache. Without the bound of two blocks on a multiprocessor the compiler takes fewer
/// registers, and the kernel took 10 % more time. Grid (columns of a plane, segments, packs).
template <int L, class Decision>
__global__ void __launch_bounds__(z_sweep_threads, 2)
    z_sweep_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout,
                   const __grid_constant__ KeySchedule keys, std::uint32_t half_sweep, std::uint32_t first_replica,
                   const __grid_constant__ Decision decide) {
  static_assert(L % slab_segment == 0);
  constexpr int SEGMENT = static_cast<int>(slab_segment);
  __shared__ uint4 slots[slots_of_block<Decision>];
  const std::uint32_t plane = L * L / 2, index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= plane) return;
  PackView view = layout.view<3>(spins, couplings, blockIdx.z, first_replica);
  view.sites = plane * L;
  const BlockPlanes block{view, view, view, plane, L, L, 0};
  const std::uint32_t z0 = blockIdx.y * SEGMENT, z1 = min(static_cast<std::uint32_t>(L), z0 + SEGMENT);
  const HalfSweep s(keys, layout.first_pack + blockIdx.z, half_sweep, first_replica);
  after_previous_kernel();
  z_sweep_segment<SEGMENT>(block, Column(index, L), z0, z1, half_sweep & 1u, s, decide, slots);
}

}  // namespace psflip::cuda
