#pragma once
#include <cstdint>

#include "engine/cuda/update/residual_queue.cuh"
#include "engine/cuda/update/site_field_decision.cuh"

namespace psflip::cuda {

/// A lane that the bit planes leave undecided.
struct UndecidedLane {
  std::uint32_t word;   ///< index in the words of the thread block, less than 2^24
  std::uint32_t index;  ///< of the threshold of the site in this lane, less than 8
  std::uint32_t lane;
};

/// Undecided lanes of a thread block in a half sweep. Threads add them while they update words. Then all threads decide
/// them, one lane each. With few words for each thread this takes fewer instructions than a queue for each warp, which
/// a few threads of every warp decide. A lane that finds no place is decided at once.
class LaneQueue {
 public:
  /// Words of shared memory.
  PSFLIP_HD static constexpr std::size_t words(std::uint32_t places) { return std::size_t{2} + places; }

  __device__ __forceinline__ LaneQueue(std::uint32_t* shared, std::uint32_t places)
      : counts_(shared), entries_(shared + 2), places_(places) {}

  /// Must be called before the first half sweep, and be followed by a barrier.
  __device__ __forceinline__ void clear() {
    if (threadIdx.x < 2) counts_[threadIdx.x] = 0;
  }

  /// Adds the lanes `equal` of a word. `bit` holds the bits of the indices of their thresholds. Half sweeps of even and
  /// odd number must alternate. decide(UndecidedLane) decides a lane.
  template <int BITS, class Decide>
  __device__ __forceinline__ void push(std::uint32_t equal, const std::uint32_t (&bit)[BITS], std::uint32_t word,
                                       std::uint32_t odd, const Decide& decide) {
    for (; equal != 0; equal &= equal - 1) {
      const std::uint32_t lane = __ffs(equal) - 1;
      const std::uint32_t index = index_of_lane(bit, lane);
      const std::uint32_t place = atomicAdd(counts_ + odd, 1u);
      if (place < places_)
        entries_[place] = word << 8 | index << 5 | lane;
      else
        decide(UndecidedLane{word, index, lane});
    }
  }

  /// Decides all lanes. A barrier must follow before the next half sweep.
  template <class Decide>
  __device__ __forceinline__ void settle(std::uint32_t odd, const Decide& decide) {
    __syncthreads();  // entries, and the spins of the words, are written
    const std::uint32_t count = min(counts_[odd], places_);
    for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
      const std::uint32_t entry = entries_[i];
      decide(UndecidedLane{entry >> 8, entry >> 5 & 7u, entry & 31u});
    }
    if (threadIdx.x == 0) counts_[1 - odd] = 0;
  }

 private:
  std::uint32_t *counts_, *entries_;  ///< numbers of lanes in half sweeps of even and odd number
  std::uint32_t places_;
};

/// Calls f(replica of the group, undecided lanes, bits of the indices of their thresholds) for all words of a site.
template <int G, class F>
__device__ __forceinline__ void for_each_word(const UndecidedLanes<G>& lanes, F f) {
#pragma unroll
  for (int r = 0; r < G; ++r) {
    const std::uint32_t bit[] = {lanes.ones[r], lanes.twos[r]};
    f(r, lanes.equal[r], bit);
  }
}
template <int BITS, class F>
__device__ __forceinline__ void for_each_word(const UndecidedInField<BITS>& lanes, F f) {
  f(0, lanes.equal, lanes.bit);
}

}  // namespace psflip::cuda
