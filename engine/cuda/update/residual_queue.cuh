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

/// Undecided lanes of the G words of a site, equal & ~above & ~always, and bits of FewUnsatisfied.
template <int G>
struct UndecidedLanes {
  std::uint32_t equal[G], above[G], always[G], some[G], two[G];

  __device__ __forceinline__ std::uint32_t undecided(int r) const { return equal[r] & ~above[r] & ~always[r]; }
};
struct NothingPending {};

/// The threshold of an undecided lane of a D-dimensional lattice, from its bits of FewUnsatisfied.
__device__ __forceinline__ std::uint32_t threshold_of_lane(const Thresholds& t, int D, std::uint32_t some,
                                                           std::uint32_t two) {
  const std::uint32_t low = some ? t.by_unsatisfied[1] : t.by_unsatisfied[0];
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
  __device__ __forceinline__ explicit ResidualQueue(uint4* entries) : entries_(entries) {}

  /// Whether there are words for all threads of a warp.
  __device__ __forceinline__ bool full() const { return entries_.has(32); }
  __device__ __forceinline__ bool empty() const { return !entries_.has(1); }

  /// Adds the undecided lanes of word r of a site, if any; `word` is its index in the array that settle() flips.
  template <int G>
  __device__ __forceinline__ void push(const UndecidedLanes<G>& lanes, int r, std::uint32_t word) {
    entries_.append(lanes.equal[r], lanes.above[r], lanes.always[r], lanes.some[r], lanes.two[r], word);
  }

  /// Draws the residual number of one lane in each of the last 32 (or fewer) words and flips accepted spins.
  /// `locate(word)` returns the SiteOfWord of a word. FILL: threads without a word take further lanes of the others, so
  /// that the last words, most of which have one lane, take one call instead of two.
  template <int D, bool FILL, class Locate>
  __device__ __forceinline__ void settle(const HalfSweep& s, const Thresholds& thresholds, std::uint32_t* spins,
                                         Locate locate) {
    const std::uint32_t take = min(entries_.count(), 32u);
    Lane mine = take_lane(take, 0, {});
    if (FILL && entries_.has(1) && entries_.has_at_most(32 - take))
      mine = take_lane(take + entries_.count(), take, mine);
    if (mine.bit != 0) {
      const std::uint32_t word = mine.entry.w;
      const auto [site, replica] = locate(word);
      const std::uint32_t number = number_of_replica(s, site, replica, residual_draw + __ffs(mine.bit) - 1),
                          t = threshold_of_lane(thresholds, D, mine.entry.y & mine.bit, mine.entry.z & mine.bit);
      if (number < (t << plane_count)) atomicXor(spins + word, mine.bit);
    }
  }

 private:
  struct Lane {
    uint4 entry;
    std::uint32_t bit;
  };
  /// Removes the last entries, one for each of the threads first ... end - 1, and puts back what their words have
  /// besides the lane that the thread takes. Other threads keep `mine`.
  __device__ __forceinline__ Lane take_lane(std::uint32_t end, std::uint32_t first, Lane mine) {
    const std::uint32_t lane = threadIdx.x & 31u;
    const bool takes = lane >= first && lane < end;
    __syncwarp();  // entries, and the spins of the words, are written
    entries_.remove(end - first);
    if (takes) {
      mine.entry = entries_.removed(lane - first);
      mine.bit = mine.entry.x & (0u - mine.entry.x);
    }
    __syncwarp();
    entries_.append(takes ? mine.entry.x ^ mine.bit : 0, 0, 0, mine.entry.y, mine.entry.z, mine.entry.w);
    return mine;
  }

  Entries entries_;
};

}  // namespace psflip::cuda
