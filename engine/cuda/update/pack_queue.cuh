#pragma once
#include "engine/cuda/update/pack_view.cuh"
#include "engine/cuda/update/residual_queue.cuh"

namespace psflip::cuda {

/// The residual queue of a warp for the words of a pack. A word is replica * sites + site of the
/// group of replicas. Always empty if the decisions leave no lanes undecided.
template <class Decision, class Entries>
class PackQueue {
 public:
  /// `entries`: memory of this warp. `first_site`: address of the first site of `pack`.
  __device__ __forceinline__ PackQueue(uint4* entries, const PackView& pack, std::uint32_t first_site)
      : queue_(entries), pack_(pack), first_site_(first_site) {}

  __device__ __forceinline__ bool full() const { return Decision::uses_queue && queue_.full(); }

  /// Adds the undecided lanes of all replicas of site i.
  template <class Pending>
  __device__ __forceinline__ void push(const Pending& pending, std::uint32_t i) {
    if constexpr (Decision::uses_queue) {
#pragma unroll
      for (int r = 0; r < Decision::group; ++r) queue_.push(pending, r, r * pack_.sites + i);
    }
  }

  /// Decides one lane in each of the last 32 words. All threads of the warp must call it.
  __device__ __forceinline__ void settle(const HalfSweep& s, const Decision& decide, std::uint32_t parity) {
    settle_words<false>(s, decide, parity);
  }
  /// Decides all lanes.
  __device__ __forceinline__ void settle_all(const HalfSweep& s, const Decision& decide, std::uint32_t parity) {
    while (!empty()) settle_words<true>(s, decide, parity);
  }

 private:
  __device__ __forceinline__ bool empty() const { return !Decision::uses_queue || queue_.empty(); }
  template <bool FILL>
  __device__ __forceinline__ void settle_words(const HalfSweep& s, const Decision& decide, std::uint32_t parity) {
    if constexpr (Decision::uses_queue)
      queue_.template settle<Decision::dimension, FILL>(
          s, decide.thresholds, pack_.spins(parity), [&](std::uint32_t word) {
            if constexpr (Decision::group == 1)
              return SiteOfWord{first_site_ + word, s.first_replica};  // without a division
            else
              return SiteOfWord{first_site_ + word % pack_.sites, s.first_replica + word / pack_.sites};
          });
  }

  ResidualQueue<Entries> queue_;
  const PackView& pack_;
  std::uint32_t first_site_;
};

}  // namespace psflip::cuda
