#pragma once
#include <cstdint>

#include "engine/core/update.hpp"
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/update/half_sweep_numbers.cuh"

/// Lanes of the independent mode that the planes leave undecided (2^-8 of them), settled many at a time.
namespace psflip::cuda {

/// Everything that is the same for all sites of a pack during a half sweep.
struct HalfSweep {
  HalfSweepNumbers numbers;
  std::uint32_t first_replica;  ///< of the group, a multiple of 4

  __device__ __forceinline__ HalfSweep(const KeySchedule& keys, std::uint64_t pack, std::uint32_t half_sweep,
                                       std::uint32_t first)
      : numbers(keys, pack, half_sweep), first_replica(first) {}
};

/// Undecided lanes of the G words of a site, and the bond counts of all lanes.
template <int G>
struct UndecidedLanes {
  std::uint32_t equal[G], ones[G], twos[G];
};
struct NothingPending {};

/// threshold[n] of a lane of a D-dimensional lattice with n = ones + 2 twos unsatisfied bonds, n < D.
__device__ __forceinline__ std::uint32_t threshold_of_lane(const Thresholds& t, int D, std::uint32_t ones,
                                                           std::uint32_t twos) {
  const std::uint32_t low = ones ? t.by_unsatisfied[1] : t.by_unsatisfied[0];
  return D == 3 && twos ? t.by_unsatisfied[2] : low;
}

/// Where a word of a pack belongs.
struct SiteOfWord {
  std::uint32_t site, replica;
};

/// Words with undecided lanes, waiting until a whole warp can work on them: a thread with a lane to settle would
/// otherwise keep the other 31 waiting. Used by complete warps only.
class ResidualQueue {
 public:
  /// `slots`: of this warp, as many as it may push between two calls of settle(), and 31.
  __device__ __forceinline__ explicit ResidualQueue(uint4* slots) : slots_(slots) {}

  /// Whether there are words for all threads of a warp.
  __device__ __forceinline__ bool full() const { return count_ >= 32; }
  __device__ __forceinline__ bool empty() const { return count_ == 0; }

  /// Adds the undecided lanes of one word, if any; `word` is its index in the array that settle() flips.
  __device__ __forceinline__ void push(std::uint32_t equal, std::uint32_t ones, std::uint32_t twos,
                                       std::uint32_t word) {
    const std::uint32_t with = __ballot_sync(~0u, equal != 0);
    if (equal != 0) slots_[count_ + __popc(with & lanes_below())] = make_uint4(equal, ones, twos, word);
    count_ += __popc(with);
  }

  /// Gives one lane of each of the last 32 (or fewer) words its number and flips accepted spins. `locate(word)` returns
  /// its SiteOfWord.
  template <int D, class Locate>
  __device__ __forceinline__ void settle(const HalfSweep& s, const Thresholds& thresholds, std::uint32_t* spins,
                                         Locate locate) {
    const std::uint32_t take = min(count_, 32u), lane = threadIdx.x & 31u;
    __syncwarp();  // entries, and the spins of the words, are written
    uint4 e = lane < take ? slots_[count_ - take + lane] : make_uint4(0, 0, 0, 0);
    __syncwarp();
    count_ -= take;
    const std::uint32_t bit = e.x & (0u - e.x);
    if (bit != 0) {
      const auto [site, replica] = locate(e.w);
      const auto u = s.numbers.draw(site, replica >> 2, residual_draw + __ffs(bit) - 1);
      const std::uint32_t low = replica & 1u ? u.x[1] : u.x[0], high = replica & 1u ? u.x[3] : u.x[2];
      const std::uint32_t t = threshold_of_lane(thresholds, D, e.y & bit, e.z & bit);
      if ((replica & 2u ? high : low) < (t << plane_count)) atomicXor(spins + e.w, bit);
    }
    push(e.x ^ bit, e.y, e.z, e.w);
  }

 private:
  uint4* slots_;
  std::uint32_t count_ = 0;  ///< the same in all threads of the warp
};

}  // namespace psflip::cuda
