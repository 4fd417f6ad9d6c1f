#pragma once
#include <cstdint>

#include "engine/core/update.hpp"
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/update/half_sweep_numbers.cuh"

/// Lanes of the independent mode that the bit planes leave undecided, a fraction 2^-8, decided many at a time.
namespace psflip::cuda {

/// Data common to all sites of a pack in a half sweep.
struct HalfSweep {
  HalfSweepNumbers numbers;
  std::uint32_t first_replica;  ///< of the group, a multiple of 4

  __device__ __forceinline__ HalfSweep(const KeySchedule& keys, std::uint64_t pack, std::uint32_t half_sweep,
                                       std::uint32_t first, std::uint32_t slot = 0)
      : numbers(keys, pack, half_sweep, slot), first_replica(first) {}
};

/// The number of a replica in a draw that four replicas share.
__device__ __forceinline__ std::uint32_t number_of_replica(const HalfSweep& s, std::uint32_t site,
                                                           std::uint32_t replica, std::uint32_t draw) {
  const auto u = s.numbers.draw(site, replica >> 2, draw);
  const std::uint32_t low = replica & 1u ? u.x[1] : u.x[0], high = replica & 1u ? u.x[3] : u.x[2];
  return replica & 2u ? high : low;
}

/// The number of a lane whose binary digits are the lane of `bit`.
template <int BITS>
__device__ __forceinline__ std::uint32_t index_of_lane(const std::uint32_t (&bit)[BITS], std::uint32_t lane) {
  std::uint32_t index = 0;
#pragma unroll
  for (int b = 0; b < BITS; ++b) index |= (bit[b] >> lane & 1u) << b;
  return index;
}

/// Undecided lanes of the G words of a site, and the lanes with one and with two unsatisfied bonds.
template <int G>
struct UndecidedLanes {
  std::uint32_t equal[G], one[G], two[G];
};
struct NothingPending {};

/// The threshold of an undecided lane of a D-dimensional lattice, from its bits of FewUnsatisfied.
__device__ __forceinline__ std::uint32_t threshold_of_lane(const Thresholds& t, int D, std::uint32_t one,
                                                           std::uint32_t two) {
  const std::uint32_t low = one ? t.by_unsatisfied[1] : t.by_unsatisfied[0];
  return D == 3 && two ? t.by_unsatisfied[2] : low;
}

/// Site and replica of a word of a pack.
struct SiteOfWord {
  std::uint32_t site, replica;
};

/// Queue of words with undecided lanes, which a full warp decides together. If a thread decided its own lanes at once,
/// the other 31 threads would wait. Complete warps only. Entries: SharedEntries or GlobalEntries.
template <class Entries>
class ResidualQueue {
 public:
  /// `entries`: memory of this warp, for as many as it may push between two calls of settle(), plus 31.
  __device__ __forceinline__ explicit ResidualQueue(uint4* entries)
      : entries_(entries), below_(in_register(lanes_below())) {}

  /// Whether there are words for all threads of a warp.
  __device__ __forceinline__ bool full() const { return count_ >= 32; }
  __device__ __forceinline__ bool empty() const { return count_ == 0; }

  /// Adds the undecided lanes of one word, if any; `word` is its index in the array that settle() flips.
  __device__ __forceinline__ void push(std::uint32_t equal, std::uint32_t one, std::uint32_t two, std::uint32_t word) {
    const std::uint32_t with = __ballot_sync(~0u, equal != 0);
    entries_.store_if(equal, count_ + __popc(with & below_), make_uint4(equal, one, two, word));
    count_ += __popc(with);
  }

  /// Draws the residual number of one lane in each of the last 32 (or fewer) words and flips accepted spins.
  /// `locate(word)` returns the SiteOfWord of a word.
  template <int D, class Locate>
  __device__ __forceinline__ void settle(const HalfSweep& s, const Thresholds& thresholds, std::uint32_t* spins,
                                         Locate locate) {
    const std::uint32_t take = min(count_, 32u), lane = threadIdx.x & 31u;
    __syncwarp();  // entries, and the spins of the words, are written
    const uint4 e = lane < take ? entries_.load(count_ - take + lane) : make_uint4(0, 0, 0, 0);
    __syncwarp();
    count_ -= take;
    const std::uint32_t bit = e.x & (0u - e.x);
    if (bit != 0) {
      const auto [site, replica] = locate(e.w);
      const std::uint32_t number = number_of_replica(s, site, replica, residual_draw + __ffs(bit) - 1),
                          t = threshold_of_lane(thresholds, D, e.y & bit, e.z & bit);
      if (number < (t << plane_count)) atomicXor(spins + e.w, bit);
    }
    push(e.x ^ bit, e.y, e.z, e.w);
  }

 private:
  Entries entries_;
  std::uint32_t below_;      ///< lanes below this one
  std::uint32_t count_ = 0;  ///< the same in all threads of the warp
};

}  // namespace psflip::cuda
