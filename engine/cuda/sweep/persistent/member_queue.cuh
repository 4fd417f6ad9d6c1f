#pragma once
#include <type_traits>

#include "engine/cuda/update/pack_queue.cuh"
#include "engine/cuda/update/site_field_decision.cuh"

/// Queues of the lanes that the bit planes leave undecided, for kernels that keep a group of replicas in shared memory.
namespace psflip::cuda {

/// The queue of a thread block, for one replica. Threads add lanes while they update words. Then all threads decide
/// them, one lane each. If a thread has few words in a half sweep, this takes fewer instructions than a queue for each
/// warp, which a few threads of every warp would decide. A lane that finds no place is decided at once.
template <class Decision>
class LaneQueue {
 public:
  /// Words of shared memory.
  PSFLIP_HD static constexpr std::size_t words(std::uint32_t /*threads*/, std::uint32_t places) {
    return std::size_t{2} + places;
  }

  /// `first_site`: address of the first site of `pack`. `decide` must be in memory: its thresholds are indexed.
  __device__ __forceinline__ LaneQueue(std::uint32_t* shared, std::uint32_t places, const PackView& pack,
                                       std::uint32_t first_site, const Decision& decide)
      : counts_(shared), entries_(shared + 2), places_(places), pack_(pack), first_site_(first_site), decide_(decide) {}

  /// Must be called before the first half sweep, and be followed by a barrier.
  __device__ __forceinline__ void clear() {
    if (threadIdx.x < 2) counts_[threadIdx.x] = 0;
  }

  /// Adds the undecided lanes of site i. Half sweeps of parity 0 and 1 must alternate.
  template <class Pending>
  __device__ __forceinline__ void push(const Pending& pending, std::uint32_t i, const HalfSweep& s,
                                       std::uint32_t parity) {
    const auto bit = threshold_bits(pending);
    for (std::uint32_t equal = lanes_of(pending); equal != 0; equal &= equal - 1) {
      const std::uint32_t lane = __ffs(equal) - 1, index = index_of_lane(bit.of, lane),
                          place = atomicAdd(counts_ + parity, 1u);
      if (place < places_)
        entries_[place] = i << 8 | index << 5 | lane;
      else
        decide_lane(i, index, lane, s, parity);
    }
  }

  /// Decides all lanes. A barrier must follow before the next half sweep.
  __device__ __forceinline__ void finish(const HalfSweep& s, std::uint32_t parity) {
    __syncthreads();  // entries, and the spins of the words, are written
    const std::uint32_t count = min(counts_[parity], places_);
    for (std::uint32_t n = threadIdx.x; n < count; n += blockDim.x) {
      const std::uint32_t entry = entries_[n];
      decide_lane(entry >> 8, entry >> 5 & 7u, entry & 31u, s, parity);
    }
    if (threadIdx.x == 0) counts_[1 - parity] = 0;
  }

 private:
  template <int BITS>
  struct Bits {
    std::uint32_t of[BITS];
  };
  __device__ __forceinline__ static std::uint32_t lanes_of(const UndecidedLanes<1>& lanes) {
    return lanes.undecided(0);
  }
  __device__ __forceinline__ static Bits<2> threshold_bits(const UndecidedLanes<1>& lanes) {
    return {{lanes.some[0] & ~lanes.two[0], lanes.two[0]}};
  }
  template <int BITS>
  __device__ __forceinline__ static std::uint32_t lanes_of(const UndecidedInField<BITS>& lanes) {
    return lanes.equal;
  }
  template <int BITS>
  __device__ __forceinline__ static Bits<BITS> threshold_bits(const UndecidedInField<BITS>& lanes) {
    Bits<BITS> bits;
#pragma unroll
    for (int b = 0; b < BITS; ++b) bits.of[b] = lanes.bit[b];
    return bits;
  }
  /// `index`: of the threshold of the site in this lane.
  __device__ __forceinline__ void decide_lane(std::uint32_t i, std::uint32_t index, std::uint32_t lane,
                                              const HalfSweep& s, std::uint32_t parity) const {
    if (decide_.flips_lane(s, first_site_ + i, s.first_replica, index, lane))
      atomicXor(pack_.spins(parity) + i, 1u << lane);
  }

  std::uint32_t *counts_, *entries_;  ///< numbers of lanes in half sweeps of both parities; words of 24, 3 and 5 bits
  std::uint32_t places_;
  const PackView& pack_;
  std::uint32_t first_site_;
  const Decision& decide_;
};

/// A queue for each warp, with the same functions. Complete warps only, which call push() and finish() together.
template <class Decision>
class WarpQueue {
  static constexpr std::uint32_t words_of_warp = Decision::uses_queue ? 4 * 32 * (Decision::group + 1) : 0;

 public:
  PSFLIP_HD static constexpr std::size_t words(std::uint32_t threads, std::uint32_t /*places*/) {
    return std::size_t{threads / 32} * words_of_warp;
  }

  __device__ __forceinline__ WarpQueue(std::uint32_t* shared, std::uint32_t /*places*/, const PackView& pack,
                                       std::uint32_t first_site, const Decision& decide)
      : queue_(reinterpret_cast<uint4*>(shared + threadIdx.x / 32 * words_of_warp), pack, first_site),
        decide_(decide) {}

  __device__ __forceinline__ void clear() {}
  template <class Pending>
  __device__ __forceinline__ void push(const Pending& pending, std::uint32_t i, const HalfSweep& s,
                                       std::uint32_t parity) {
    queue_.push(pending, i);
    while (queue_.full()) queue_.settle(s, decide_, parity);
  }
  __device__ __forceinline__ void finish(const HalfSweep& s, std::uint32_t parity) {
    queue_.settle_all(s, decide_, parity);
  }

 private:
  PackQueue<Decision, SharedEntries> queue_;
  const Decision& decide_;
};

template <class Decision>
using MemberQueue =
    std::conditional_t<Decision::uses_queue && Decision::group == 1, LaneQueue<Decision>, WarpQueue<Decision>>;

}  // namespace psflip::cuda
