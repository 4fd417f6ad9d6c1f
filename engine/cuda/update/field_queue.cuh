#pragma once
#include "engine/cuda/update/pack_view.cuh"
#include "engine/cuda/update/site_field_decision.cuh"

namespace psflip::cuda {

/// The residual queue of a warp for the words of one replica in a field, as PackQueue. Complete warps only.
template <class T>
class FieldQueue {
  using Decision = SiteFieldDecision<T>;
  static constexpr std::uint32_t capacity = 64;  ///< fewer than 32 entries remain when up to 32 are added
  static constexpr int bits = Decision::Scheme::bits;

 public:
  static constexpr std::uint32_t words = (2 + bits) * capacity;  ///< of shared memory for a warp

  /// `shared`: the words of this warp. `first_site`: address of the first site of `pack`.
  __device__ __forceinline__ FieldQueue(std::uint32_t* shared, const PackView& pack, std::uint32_t first_site)
      : entries_(shared), pack_(pack), first_site_(first_site) {}

  __device__ __forceinline__ bool full() const { return count_ >= 32; }
  __device__ __forceinline__ bool empty() const { return count_ == 0; }

  /// Adds the undecided lanes of site i.
  __device__ __forceinline__ void push(const typename Decision::Pending& pending, std::uint32_t i) {
    const std::uint32_t with = __ballot_sync(~0u, pending.equal != 0);
    if (pending.equal != 0) {
      std::uint32_t* entry = entries_ + count_ + __popc(with & lanes_below());
      entry[0] = pending.equal;
      entry[capacity] = i;
#pragma unroll
      for (int b = 0; b < bits; ++b) entry[(2 + b) * capacity] = pending.bit[b];
    }
    count_ += __popc(with);
  }

  /// Decides one lane in each of the last 32 (or fewer) words.
  __device__ __forceinline__ void settle(const HalfSweep& s, const Decision& decide, std::uint32_t parity) {
    const std::uint32_t take = min(count_, 32u);
    count_ -= take;
    __syncwarp();  // entries, and the spins of the words, are written
    const std::uint32_t lane = threadIdx.x & 31u, *entry = entries_ + count_ + lane;
    typename Decision::Pending pending = {};
    std::uint32_t i = 0;
    if (lane < take) {
      pending.equal = entry[0];
      i = entry[capacity];
#pragma unroll
      for (int b = 0; b < bits; ++b) pending.bit[b] = entry[(2 + b) * capacity];
    }
    __syncwarp();
    const std::uint32_t lowest = pending.equal & (0u - pending.equal);
    if (lowest != 0) {
      const std::uint32_t flip = decide.decide_lane(s, first_site_ + i, pending.bit, lowest);
      if (flip != 0) atomicXor(pack_.spins(parity) + i, flip);
    }
    pending.equal ^= lowest;
    push(pending, i);
  }

 private:
  std::uint32_t* entries_;
  const PackView& pack_;
  std::uint32_t first_site_;
  std::uint32_t count_ = 0;  ///< the same in all threads of the warp
};

}  // namespace psflip::cuda
