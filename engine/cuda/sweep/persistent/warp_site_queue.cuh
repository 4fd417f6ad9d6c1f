#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/update/site_update.cuh"

namespace psflip::cuda {

/// Queue of the undecided sites of a warp, a fraction 2^-8, in shared memory. A warp draws up to 32 residual numbers
/// with one Philox call for each thread. A queue for each warp needs no barrier of the thread block between the updates
/// of words and the decisions, unlike one for the thread block. Complete warps only.
class WarpSiteQueue {
 public:
  /// `entries`: memory of this warp, at least 63. An entry is 64 x word index + 2 x bit, plus 1 if the site has one
  /// unsatisfied bond.
  __device__ __forceinline__ explicit WarpSiteQueue(std::uint32_t* entries) : entries_(entries) {}

  /// Adds one undecided site of each thread that has some, and removes it from `equal`. Returns false if no thread has.
  /// The words are `W` apart. At most 31 entries may be in the queue.
  __device__ __forceinline__ bool push(std::uint32_t word_index, std::uint32_t W, std::uint32_t (&equal)[2],
                                       const std::uint32_t (&ones)[2]) {
    const bool pushes = (equal[0] | equal[1]) != 0;
    const std::uint32_t with = __ballot_sync(~0u, pushes);
    if (pushes) {
      const bool second = equal[0] == 0;
      const std::uint32_t mask = second ? equal[1] : equal[0], lane = __ffs(mask) - 1, bit = mask & (0u - mask);
      const std::uint32_t one = ((second ? ones[1] : ones[0]) >> lane) & 1u;
      entries_[size_ + __popc(with & lanes_below())] = (word_index + (second ? W : 0)) * 64 + 2 * lane + one;
      (second ? equal[1] : equal[0]) = mask ^ bit;
    }
    size_ += __popc(with);
    return with != 0;
  }

  __device__ __forceinline__ bool full() const { return size_ >= 32; }
  __device__ __forceinline__ bool empty() const { return size_ == 0; }

  /// Decides the last 32 (or fewer) sites. `address` returns the index of a word in the full lattice, which addresses
  /// its random numbers.
  template <class Address, class Decision>
  __device__ __forceinline__ void settle(std::uint32_t* mine, const SiteSweep& s, const Decision& decide,
                                         const Address& address) {
    const std::uint32_t take = min(size_, 32u), thread = threadIdx.x & 31u;
    __syncwarp();  // entries, and the spins of the words, are written
    size_ -= take;
    if (thread < take) {
      const std::uint32_t entry = entries_[size_ + thread], word_index = entry >> 6, lane = (entry >> 1) & 31u;
      const std::uint32_t number =
          numbers_at(decide.keys, address(word_index), s.half_sweep, s.sample, 0, residual_draw + lane).x[0];
      const std::uint32_t t = entry & 1u ? decide.thresholds.by_unsatisfied[1] : decide.thresholds.by_unsatisfied[0];
      if (number < (t << plane_count)) atomicXor(mine + word_index, 1u << lane);
    }
    __syncwarp();  // the entries may be overwritten
  }

 private:
  std::uint32_t* entries_;
  std::uint32_t size_ = 0;
};

}  // namespace psflip::cuda
