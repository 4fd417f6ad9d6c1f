#pragma once
#include "engine/cuda/sweep/half_sweep/plane_segments.hpp"
#include "engine/cuda/sweep/half_sweep/z_sweep_kernel.cuh"

namespace psflip::cuda {

/// One half sweep of planes with a ghost plane on each side, or of full lattices. Planes are counted as they are
/// stored. With ghosts no z-sweep needs the periodic boundary. Without a bound on registers, only one block of some of
/// these kernels would fit on a multiprocessor. If warps have queues, the threads of the last warp that have no column
/// take part in its queue. Grid (columns of a plane, segments, packs).
template <int L_, class Decision>
__global__ void __launch_bounds__(z_sweep_threads, Decision::group == 1 ? 3 : 2)
    slab_z_sweep_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout,
                        const __grid_constant__ Planes planes, const __grid_constant__ PlaneSegments segments,
                        const __grid_constant__ KeySchedule keys, std::uint32_t half_sweep, std::uint32_t first_replica,
                        const __grid_constant__ Decision decide) {
  __shared__ uint4 slots[slots_of_block<Decision>];
  const std::uint32_t L = L_ ? L_ : layout.L, plane = L * L / 2, index = blockIdx.x * blockDim.x + threadIdx.x;
  constexpr bool in_step = Decision::uses_queue;
  if ((in_step ? index / 32 * 32 : index) >= plane) return;
  const PackView view = layout.view<3>(spins, couplings, blockIdx.z, first_replica);
  const bool full = planes.count == L;
  const std::uint32_t stored = full ? L : planes.count + 2, first = full ? 0 : planes.first - 1;  // wraps around for 0
  const BlockPlanes block{view, view, view, plane, stored, stored, first};
  const HalfSweep s(keys, layout.first_pack + blockIdx.z, half_sweep, first_replica);
  const Column column(in_step ? min(index, plane - 1) : index, L);
  const std::uint32_t z0 = segments.begin_of(blockIdx.y), end = segments.end_of(blockIdx.y), parity = half_sweep & 1u,
                      z1 = in_step && index >= plane ? z0 : end, steps = end - z0;
  if (steps == slab_segment)  // the same for all threads of the block
    z_sweep_segment<static_cast<int>(slab_segment), in_step>(block, column, z0, z1, parity, s, decide, slots);
  else
    z_sweep_segment<0, in_step>(block, column, z0, z1, parity, s, decide, slots, steps);
}

}  // namespace psflip::cuda
