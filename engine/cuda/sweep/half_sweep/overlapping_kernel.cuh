#pragma once
#include "engine/cuda/device/halo_packet.hpp"
#include "engine/cuda/sweep/half_sweep/z_sweep_kernel.cuh"

/// Half sweeps of a pack that overlap: thread blocks of a half sweep start while the last ones of the half sweep before
/// still run. So one pack is enough to keep the GPU busy, and its spins stay in the L2 cache from half sweep to half
/// sweep.
namespace psflip::cuda {

/// What one thread block updates: z_sweep_threads columns of a segment of planes of a lattice of size L.
template <int L>
struct ColumnTile {
  static constexpr std::uint32_t segments = L / slab_segment,  ///< of a column
      groups = L * L / 2 / z_sweep_threads;                    ///< of columns
  static constexpr std::uint32_t tiles = segments * groups;    ///< of a half sweep
  static_assert(L % slab_segment == 0 && z_sweep_threads % (L / 2) == 0, "a tile has full rows");
  std::uint32_t group, segment;

  /// The tile of a thread block, in the order in which they start, after `before` half sweeps. The first segment of
  /// each half sweep is the second one of the half sweep before. So all that a tile waits for has started long before,
  /// also across the periodic boundary and when the pack changes.
  PSFLIP_HD ColumnTile(std::uint32_t block_x, std::uint32_t block_y, std::uint32_t before)
      : group(block_x), segment((block_y + before) % segments) {}

  PSFLIP_HD std::uint32_t number() const { return segment * groups + group; }
  /// Numbers of the tiles with neighbours of its sites: k = 0 ... 3, and itself for 4.
  PSFLIP_HD std::uint32_t adjoining(std::uint32_t k) const {
    const std::uint32_t g = group + (k == 0   ? 1
                                     : k == 1 ? groups - 1
                                              : 0),
                        s = segment + (k == 2   ? 1
                                       : k == 3 ? segments - 1
                                                : 0);
    return s % segments * groups + g % groups;
  }
};

/// Half sweeps that tiles are done with. Numbers may overflow.
struct TileProgress {
  std::uint32_t* done;   ///< [tile]
  std::uint32_t before;  ///< half sweeps before this one, of all packs
  bool is_first;         ///< whether this is the first half sweep after other work

  /// Waits until all adjoining tiles are done with the half sweeps before this one. All threads of a warp call it.
  template <int L>
  __device__ __forceinline__ void wait_for_adjoining(const ColumnTile<L>& tile) const {
    const std::uint32_t* word = done + tile.adjoining(min(threadIdx.x & 31u, 4u));
    while (__any_sync(~0u, static_cast<std::int32_t>(load_acquire(word) - before) < 0)) __nanosleep(poll_backoff_ns);
    __syncwarp();  // five lanes have each seen one tile; now all lanes see the spins of all five
  }
  /// Tells other tiles that this one is done. All threads of the block call it when they have stored its spins.
  template <int L>
  __device__ __forceinline__ void set_done(const ColumnTile<L>& tile) const {
    __syncthreads();
    if (threadIdx.x == 0) store_release(done + tile.number(), before + 1);
  }
};

/// Bytes of shared memory of a block.
template <class Decision>
inline constexpr std::size_t overlapping_bytes = slots_of_block<Decision> * sizeof(uint4);

/// Updates a tile. The first warp waits for the adjoining tiles while the others draw the numbers of their first sites.
/// The words of four replicas extend over 16 MB at L = 128, hence ORIGIN.
template <int L, class Decision>
__device__ __forceinline__ void sweep_column_tile(const PackView& view, const ColumnTile<L>& tile, const HalfSweep& s,
                                                  std::uint32_t parity, const TileProgress& progress,
                                                  const Decision& decide) {
  constexpr Origin ORIGIN{2, 1};
  constexpr std::uint32_t plane = L * L / 2;
  const PackView pack = moved_to<ORIGIN>(view);
  const BlockPlanes block{pack, pack, pack, plane, L, L, 0};
  const std::uint32_t index = tile.group * z_sweep_threads + threadIdx.x, z0 = tile.segment * slab_segment;
  constexpr std::uint32_t tiles_wait = 1;                // barrier
  const bool waits = __any_sync(~0u, threadIdx.x < 32);  // a vote, so that the compiler knows that warps do not diverge
  if (waits) {
    progress.wait_for_adjoining(tile);
    arrive_at(tiles_wait, z_sweep_threads);
  }
  const auto numbers = decide.numbers(s, z0 * plane + index);
  if (!waits) synchronize_some(tiles_wait, z_sweep_threads);
  z_sweep_segment<static_cast<int>(slab_segment), false, ORIGIN>(block, Column(index, L), z0, z0 + slab_segment, parity,
                                                                 s, decide, reinterpret_cast<uint4*>(shared_memory()),
                                                                 0, numbers);
  progress.set_done(tile);
}

/// One half sweep of one pack. Thread blocks of later half sweeps start when all blocks of this one have started, so
/// all blocks finish. Each tile waits for itself too, also when the pack changes. So the end of the last half sweep is
/// the end of all, although only the first one waits for the kernel before. Grid (groups of columns, segments).
template <int L, class Decision>
__global__ void __launch_bounds__(z_sweep_threads, 2)
    overlapping_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout,
                       const __grid_constant__ KeySchedule keys, std::uint32_t half_sweep, std::uint32_t first_replica,
                       const __grid_constant__ TileProgress progress, const __grid_constant__ Decision decide) {
  PackView view = layout.view<3>(spins, couplings, 0, first_replica);
  view.sites = L * L * L / 2;
  const ColumnTile<L> tile(blockIdx.x, blockIdx.y, progress.before);
  const HalfSweep s(keys, layout.first_pack, half_sweep, first_replica);
  if (progress.is_first)
    after_previous_kernel();
  else
    let_next_kernel_start();
  sweep_column_tile(view, tile, s, half_sweep & 1u, progress, decide);
}

}  // namespace psflip::cuda
