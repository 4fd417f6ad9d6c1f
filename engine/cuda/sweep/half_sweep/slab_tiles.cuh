#pragma once
#include "engine/cuda/device/halo_packet.hpp"
#include "engine/cuda/sweep/half_sweep/slab_sweeps.hpp"

/// Order and progress of the tiles of slab_sweeps_kernel.
namespace psflip::cuda {

/// What one thread block updates in one half sweep: some columns of a segment of planes of a pack.
struct SlabTile {
  std::uint32_t half_sweep;  ///< of the launch
  std::uint32_t segment, pack, columns;

  /// Tiles are taken in the order [half sweep][pack][segment][columns]. Both ends of a pack come first, so that the
  /// neighbours' messages have most of a half sweep to arrive.
  __device__ __forceinline__ SlabTile(std::uint32_t number, const SlabSweeps& sweeps) {
    const std::uint32_t in_pack = sweeps.segments * sweeps.columns, in_half_sweep = sweeps.packs * in_pack;
    half_sweep = number / in_half_sweep;
    number -= half_sweep * in_half_sweep;
    pack = number / in_pack;
    number -= pack * in_pack;
    const std::uint32_t place = number / sweeps.columns;
    segment = place == 0 ? 0 : place == 1 ? sweeps.segments - 1 : place - 1;
    columns = number - place * sweeps.columns;
  }
};

/// Whether a tile has an end of the slab: the plane next to the ghost of a side.
__device__ __forceinline__ bool is_at_end(const SlabSweeps& sweeps, const SlabTile& tile, int side) {
  return tile.segment == (side == 0 ? 0 : sweeps.segments - 1);
}

/// The half sweeps that a tile is done with.
__device__ __forceinline__ std::uint32_t* done_with(const SlabSweeps& sweeps, std::uint32_t pack, std::uint32_t segment,
                                                    std::uint32_t columns) {
  return sweeps.done + (pack * sweeps.segments + segment) * sweeps.columns + columns;
}
/// The same of the tile that adjoins a tile below (side 0) or above, which another GPU may have.
__device__ __forceinline__ const std::uint32_t* done_behind(const SlabSweeps& sweeps, const SlabNeighbours& neighbours,
                                                            const SlabTile& tile, int side) {
  if (is_at_end(sweeps, tile, side)) return neighbours.done[side] + tile.pack * sweeps.columns + tile.columns;
  return done_with(sweeps, tile.pack, side == 0 ? tile.segment - 1 : tile.segment + 1, tile.columns);
}

/// Waits until a tile and all tiles that adjoin it are done with the half sweeps before that of the tile. Numbers may
/// overflow. A plane is closed: its last columns adjoin the first ones.
__device__ __forceinline__ void wait_for_adjoining(const SlabSweeps& sweeps, const SlabNeighbours& neighbours,
                                                   const SlabTile& tile) {
  const std::uint32_t around = 2 * sweeps.reach + 1, needed = sweeps.before + tile.half_sweep;
  for (std::uint32_t n = threadIdx.x; n < around + 2; n += blockDim.x) {
    std::uint32_t columns = tile.columns + sweeps.columns + n - sweeps.reach;
    while (columns >= sweeps.columns) columns -= sweeps.columns;
    const volatile std::uint32_t* done = n < around
                                             ? done_with(sweeps, tile.pack, tile.segment, columns)
                                             : done_behind(sweeps, neighbours, tile, static_cast<int>(n - around));
    while (static_cast<std::int32_t>(*done - needed) < 0) __nanosleep(poll_backoff_ns);
    if (is_at_end(sweeps, tile, 0) || is_at_end(sweeps, tile, 1))
      __threadfence_system();
    else
      __threadfence();
  }
  __syncthreads();
}

/// Tells all GPUs that read a tile that it is done. All threads call it when they have stored its spins.
__device__ __forceinline__ void set_done(const SlabSweeps& sweeps, const SlabNeighbours& neighbours,
                                         const SlabTile& tile) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  const std::uint32_t now = sweeps.before + tile.half_sweep + 1;
  if (is_at_end(sweeps, tile, 0) || is_at_end(sweeps, tile, 1)) {
    __threadfence_system();
    for (const int side : {0, 1})
      if (is_at_end(sweeps, tile, side))
        *const_cast<volatile std::uint32_t*>(neighbours.done_there[side] + tile.pack * sweeps.columns + tile.columns) =
            now;
  } else {
    __threadfence();
  }
  *const_cast<volatile std::uint32_t*>(done_with(sweeps, tile.pack, tile.segment, tile.columns)) = now;
}

}  // namespace psflip::cuda
