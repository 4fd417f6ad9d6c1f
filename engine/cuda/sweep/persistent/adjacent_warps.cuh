#pragma once
#include <cstdint>

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
/// half sweeps are short, with shared random numbers or at L = 8, a barrier takes less time than the counters.
template <class Known, class Decision>
inline constexpr bool waits_for_adjacent_warps =
    Decision::uses_queue&& Known::L >= 16 && Known::L <= 64 &&
    Known::equal_threads&& Known::L* Known::L / 2 % 32 == 0 && Known::shape.blocks* Known::shape.planes == Known::L;

/// Between half sweeps of a lattice: a barrier.
template <class Known, bool ADJACENT>
class WarpsToWaitFor {
 public:
  static constexpr std::size_t bytes = 0;
  __device__ __forceinline__ WarpsToWaitFor(std::uint32_t*, std::uint32_t) {}
  __device__ __forceinline__ void begin(std::uint32_t) {}
  __device__ __forceinline__ void wait_for(std::uint32_t) { synchronize_blocks<Known>(); }
  __device__ __forceinline__ void end() {}
};

/// Takes the place of the barrier between the half sweeps of a cube in shared memory: a warp waits only for the warps
/// whose sites are neighbours of its own, so a warp that takes longer, or waits for its last undecided lanes, does not
/// stop the others. Each warp counts its half sweeps in shared memory, also in that of the blocks with the adjacent
/// planes. It writes its sites in one half sweep, and the warps that it waits for have read them in the one before.
template <class Known>
class WarpsToWaitFor<Known, true> {
  static constexpr std::uint32_t plane = Known::L * Known::L / 2, columns = plane / 32,  ///< warps of a segment
      warps = Known::threads / 32, segments = warps / columns;

 public:
  /// Of shared memory: counters of each warp and of the warps below and above it in other blocks.
  static constexpr std::size_t bytes = 3 * warps * sizeof(std::uint32_t);

  /// `counters`: `bytes` of shared memory. `rank`: of the block in its cluster.
  __device__ __forceinline__ WarpsToWaitFor(std::uint32_t* counters, std::uint32_t rank) : own_(counters + warp()) {
    const std::uint32_t column = warp() % columns, segment = warp() / columns, lane = threadIdx.x & 31u;
    const bool first = segment == 0, last = segment + 1 == segments;
    const auto warp_at = [&](std::uint32_t s, std::uint32_t c) { return s % segments * columns + c % columns; };
    const std::uint32_t left = warp_at(segment, column + columns - 1), right = warp_at(segment, column + 1),
                        below = Known::clusters && first ? warps + warp() : warp_at(segment + segments - 1, column),
                        above = Known::clusters && last ? 2 * warps + warp() : warp_at(segment + 1, column);
    watched_ = counters + (lane & 2u ? (lane & 1u ? above : below) : (lane & 1u ? right : left));
    if (lane == 0) published_ = own_;
    if constexpr (Known::clusters) {
      constexpr std::uint32_t blocks = Known::shape.blocks;
      if (lane == 1 && last) published_ = cluster::shared_of(counters, (rank + 1) % blocks) + warps + column;
      if (lane == 2 && first)
        published_ =
            cluster::shared_of(counters, (rank + blocks - 1) % blocks) + 2 * warps + warp_at(segments - 1, column);
    }
  }

  /// Before half sweep h. A barrier must follow.
  __device__ __forceinline__ void begin(std::uint32_t h) {
    const std::uint32_t lane = threadIdx.x & 31u;
    if (lane < 3) own_[lane * warps] = h;
  }
  /// After this warp has updated its sites in half sweep h - 1: waits until the next half sweep may begin.
  __device__ __forceinline__ void wait_for(std::uint32_t h) {
    __syncwarp();  // the spins are written
    if (published_ != nullptr) cluster::publish<Known::clusters>(published_, h);
    while (__any_sync(~0u, static_cast<std::int32_t>(cluster::published<Known::clusters>(watched_) - h) < 0)) {
    }
  }
  /// After the last half sweep.
  __device__ __forceinline__ void end() { synchronize_blocks<Known>(); }

 private:
  __device__ __forceinline__ static std::uint32_t warp() { return threadIdx.x / 32; }

  std::uint32_t *own_, *watched_, *published_ = nullptr;
};

template <class Known, class Decision>
using AdjacentWarps = WarpsToWaitFor<Known, waits_for_adjacent_warps<Known, Decision>>;

}  // namespace psflip::cuda
