#pragma once
#include <cstdint>

#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/device/cluster.cuh"

namespace psflip::cuda {

/// Barrier of all threads of the blocks of a lattice.
template <class Known>
__device__ __forceinline__ void synchronize_blocks() {
  if constexpr (Known::clusters)
    cluster::sync();
  else
    __syncthreads();
}

/// Whether all warps are complete, and neighbours in the plane, at most 32 columns away, are in adjacent warps. Where
/// half sweeps are short, with shared random numbers or at L = 8, a barrier of all threads takes less time.
template <class Known, class Decision>
constexpr bool waits_for_adjacent_warps() {
  constexpr std::uint32_t L = Known::L, planes = Known::shape.blocks * Known::shape.planes;
  return Decision::uses_queue && L >= 16 && L <= 64 && Known::equal_threads && L * L / 2 % 32 == 0 && planes == L;
}

/// What separates the half sweeps of a cube in shared memory: a barrier of all threads.
template <class Known, bool ADJACENT>
class HalfSweepBarrier {
 public:
  static constexpr std::size_t bytes = 0;
  __device__ __forceinline__ HalfSweepBarrier(std::uint32_t*, std::uint32_t) {}
  __device__ __forceinline__ void wait(std::uint32_t) { synchronize_blocks<Known>(); }
  __device__ __forceinline__ void end() {}
};

/// A warp waits only for the four warps whose sites are neighbours of its own. So a warp that takes longer, or waits
/// for its last undecided lanes, does not stop the others. Each warp has two barriers, for half sweeps of parity 0 and
/// 1, where these four arrive: one of them may be a half sweep ahead of another, but not two. A warp writes its sites
/// in one half sweep, and the warps that it waits for have read them in the one before.
template <class Known>
class HalfSweepBarrier<Known, true> {
  static constexpr std::uint32_t columns = Known::L * Known::L / 2 / 32,  ///< warps of a segment of planes
      warps = Known::threads / 32, segments = warps / columns, blocks = Known::shape.blocks;

 public:
  static constexpr std::size_t bytes = 2 * warps * sizeof(cluster::Barrier);  ///< of shared memory

  /// `shared`: `bytes` of shared memory, a multiple of 8. `rank`: of the block in its cluster. synchronize_blocks()
  /// must follow.
  __device__ __forceinline__ HalfSweepBarrier(std::uint32_t* shared, std::uint32_t rank) {
    auto* const barriers = reinterpret_cast<cluster::Barrier*>(shared);
    const std::uint32_t warp = uniform(threadIdx.x / 32), lane = threadIdx.x & 31u, column = warp % columns,
                        segment = rank * segments + warp / columns;
    mine_ = cluster::address_of(barriers + 2 * warp);
    if (lane < 2) cluster::initialize(barriers + 2 * warp + lane, adjacent);
    // lanes 0 to 3: the next columns to either side, the same columns of the next planes below and above
    const std::uint32_t all = blocks * segments,
                        there = lane == 2   ? segment + all - 1
                                : lane == 3 ? segment + 1
                                            : segment,
                        next = lane == 0   ? column + columns - 1
                               : lane == 1 ? column + 1
                                           : column,
                        of_block = there % segments * columns + next % columns;
    cluster::Barrier* theirs = barriers + 2 * of_block;
    if constexpr (Known::clusters) theirs = cluster::shared_of(theirs, there % all / segments);
    theirs_ = in_register(cluster::address_of(theirs));
  }

  /// After this warp has updated its sites in a half sweep of a parity: waits until it may begin the next one. Half
  /// sweeps of parity 0 and 1 must alternate up to end().
  __device__ __forceinline__ void wait(std::uint32_t parity) {
    __syncwarp();  // the spins are written
    if ((threadIdx.x & 31u) < adjacent) cluster::arrive<Known::clusters>(cluster::barrier_at(theirs_, parity));
    const cluster::BarrierAddress mine = cluster::barrier_at(mine_, parity);
    while (__any_sync(~0u, !cluster::has_ended<Known::clusters>(mine, phases_ >> parity))) {
    }  // the vote tells the compiler that the warp stays together
    phases_ ^= 1u << parity;
  }
  /// After the last half sweep.
  __device__ __forceinline__ void end() { synchronize_blocks<Known>(); }

 private:
  static constexpr std::uint32_t adjacent = 4;

  cluster::BarrierAddress mine_, theirs_;  ///< of both parities
  std::uint32_t phases_ = 0;               ///< bit `parity`: of the barriers
};

template <class Known, class Decision>
using BarrierOfCube = HalfSweepBarrier<Known, waits_for_adjacent_warps<Known, Decision>()>;

}  // namespace psflip::cuda
