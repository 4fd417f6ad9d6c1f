#pragma once
#include "engine/cuda/sweep/half_sweep/slab_tiles.cuh"
#include "engine/cuda/sweep/half_sweep/z_sweep_kernel.cuh"
#include "engine/cuda/update/decisions.cuh"

namespace psflip::cuda {

/// Of the ghost plane of a side, or of the outer plane next to it. `stored`: planes with ghosts.
__device__ __forceinline__ std::size_t outer_plane(std::uint32_t stored, int side, bool is_ghost) {
  return side == 0 ? (is_ghost ? 0 : 1) : stored - (is_ghost ? 1 : 2);
}

/// The place of a column in the messages of some replicas from `first_replica` on, with the order of PlaneMemory.
__device__ __forceinline__ std::size_t place_in_message(const SlabNeighbours& neighbours, std::uint32_t parity,
                                                        std::uint32_t pack, std::uint32_t first_replica,
                                                        std::uint32_t plane, std::uint32_t column) {
  return parity * neighbours.of_parity + (std::size_t{pack} * neighbours.replicas + first_replica) * plane + column;
}

/// Calls f(side, word, place in the message) for the words of a column in the ghost planes, or else in the outer
/// planes, of the ends that the tile has.
template <int G, bool GHOSTS, class F>
__device__ __forceinline__ void for_each_outer_word(const SlabSweeps& sweeps, const SlabNeighbours& neighbours,
                                                    const SlabTile& tile, const BlockPlanes& block,
                                                    std::uint32_t parity, std::uint32_t first_replica,
                                                    std::uint32_t column, F f) {
  const std::size_t place = place_in_message(neighbours, parity, tile.pack, first_replica, block.plane, column);
  for (const int side : {0, 1}) {
    if (!is_at_end(sweeps, tile, side)) continue;
    std::uint32_t* words = block.own.spins(parity) + outer_plane(block.planes, side, GHOSTS) * block.plane + column;
#pragma unroll
    for (int r = 0; r < G; ++r) f(side, words[r * block.own.sites], place + r * block.plane);
  }
}

/// Copies the words of a column from the messages of the neighbours to the ghost planes, before the first half sweep
/// that reads them. No other thread reads them.
template <int G>
__device__ __forceinline__ void accept_ghosts(const SlabSweeps& sweeps, const SlabNeighbours& neighbours,
                                              const SlabTile& tile, const BlockPlanes& block, std::uint32_t parity,
                                              std::uint32_t first_replica, std::uint32_t column) {
  for_each_outer_word<G, true>(
      sweeps, neighbours, tile, block, parity, first_replica, column,
      [&](int side, std::uint32_t& ghost, std::size_t place) { ghost = __ldcg(neighbours.messages[side] + place); });
}

/// Writes the words of a column in the outer planes into the memory of the neighbours.
template <int G>
__device__ __forceinline__ void send_outer(const SlabSweeps& sweeps, const SlabNeighbours& neighbours,
                                           const SlabTile& tile, const BlockPlanes& block, std::uint32_t parity,
                                           std::uint32_t first_replica, std::uint32_t column) {
  for_each_outer_word<G, false>(
      sweeps, neighbours, tile, block, parity, first_replica, column,
      [&](int side, std::uint32_t& outer, std::size_t place) { neighbours.messages_there[side][place] = outer; });
}

/// Planes of a segment of a column, in parts of slab_segment, which are compiled for their length.
template <class Decision>
__device__ __forceinline__ void update_column(const BlockPlanes& block, const Column& column, std::uint32_t begin,
                                              std::uint32_t end, std::uint32_t parity, const HalfSweep& s,
                                              const Decision& decide) {
  for (std::uint32_t z0 = begin, z1; z0 < end; z0 = z1) {
    z1 = min(end, z0 + slab_segment);
    if (z1 - z0 == slab_segment)  // the same for all threads of the block
      z_sweep_segment<static_cast<int>(slab_segment)>(block, column, z0, z1, parity, s, decide, nullptr);
    else
      z_sweep_segment<0>(block, column, z0, z1, parity, s, decide, nullptr);
  }
}

/// Many half sweeps of the planes of a slab; one thread block for each tile of each half sweep. It waits for the
/// adjoining tiles only, also for those of other GPUs. So half sweeps overlap: no time passes between them, and
/// messages need no work of the CPU. Thread blocks take tiles in the order of their numbers, so that those waited for
/// have been taken: all blocks finish, if all GPUs run the kernel. A block that took one tile after the other would
/// keep more values in registers.
template <int L_, class Decision>
__global__ void __launch_bounds__(z_sweep_threads, Decision::group == 1 ? 3 : 2)
    slab_sweeps_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout,
                       const __grid_constant__ Planes planes, const __grid_constant__ PlaneSegments segments,
                       const __grid_constant__ KeySchedule keys, const __grid_constant__ SlabSweeps sweeps,
                       const __grid_constant__ SlabNeighbours neighbours, std::uint32_t first_replica,
                       const __grid_constant__ Decision decide) {
  static_assert(!Decision::uses_queue, "threads send their words before other threads would flip lanes in them");
  constexpr int G = Decision::group;
  std::uint32_t* shared = shared_memory();
  const std::uint32_t L = L_ ? L_ : layout.L, plane = L * L / 2;
  if (threadIdx.x == 0) shared[0] = atomicAdd(sweeps.taken, 1u);
  __syncthreads();
  const SlabTile tile(uniform(shared[0]), sweeps);
  wait_for_adjoining(sweeps, neighbours, tile);
  const std::uint32_t h = sweeps.first + tile.half_sweep, parity = h & 1u,
                      index = tile.columns * blockDim.x + threadIdx.x, stored = planes.count + 2;
  const PackView view = layout.view<3>(spins, couplings, tile.pack, first_replica);
  const BlockPlanes block{view, view, view, plane, stored, stored, planes.first - 1};  // wraps around for 0
  if (index < plane) {
    if (tile.half_sweep > 0) accept_ghosts<G>(sweeps, neighbours, tile, block, 1 - parity, first_replica, index);
    update_column(block, Column(index, L), segments.begin_of(tile.segment), segments.end_of(tile.segment), parity,
                  HalfSweep(keys, layout.first_pack + tile.pack, h, first_replica), decide);
    send_outer<G>(sweeps, neighbours, tile, block, parity, first_replica, index);
  }
  set_done(sweeps, neighbours, tile);
}

}  // namespace psflip::cuda
