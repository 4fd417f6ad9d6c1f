#pragma once
#include <cstdint>

#include "engine/core/field_update.hpp"
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/update/half_sweep_numbers.cuh"

/// The Metropolis decision of field_scheme.hpp for one site and 32 samples, with one random number per sample.
namespace psflip::cuda {

/// Thresholds of the classes of one slot, and a bit for each class with Scheme::is_cheap() and Scheme::is_free().
template <class Scheme>
struct SlotThresholds {
  static constexpr int entries = 1 << Scheme::bits;
  std::uint32_t of_class[entries];
  std::uint32_t cheap, free;
};

/// Thresholds of all slots, a kernel parameter.
template <class Scheme>
struct ThresholdList {
  SlotThresholds<Scheme> slot[256];
};

template <class Scheme>
SlotThresholds<Scheme> slot_thresholds(const FieldThresholds& t) {
  SlotThresholds<Scheme> out{};
  for (int k = 0; k < SlotThresholds<Scheme>::entries; ++k) {
    out.of_class[k] = Scheme::threshold(k, t);
    out.cheap |= Scheme::is_cheap(k, t) ? 1u << k : 0;
    out.free |= Scheme::is_free(k, t) ? 1u << k : 0;
  }
  return out;
}

/// Bit j of the thresholds of all lanes of a word. The first three or four classes are selected by a sum, which the
/// units for multiplication compute: the mask of class 0 and, for each other class, its lanes times 0, 1 or -1. No lane
/// is in two classes, so the sums carry nothing. Classes 4 to 6 are selected by the units for logic.
template <class Scheme>
class ThresholdPlanes {
  static constexpr int classes = Scheme::classes;

 public:
  /// What operator() needs of the class bits of a word.
  struct Lanes {
    std::uint32_t one, two, three;  ///< where the last two bits are these
    const std::uint32_t (&bit)[Scheme::bits];
  };

  __device__ __forceinline__ explicit ThresholdPlanes(const SlotThresholds<Scheme>& t) {
#pragma unroll
    for (int j = 0; j < plane_count; ++j) {
      const auto mask = [&](int k) { return threshold_mask(t.of_class[k], j); };
#pragma unroll
      for (int k = 0; k < classes; ++k) term_[j][k] = in_register(k == 0 || k > 3 ? mask(k) : mask(0) - mask(k));
    }
  }
  __device__ __forceinline__ static Lanes lanes(const std::uint32_t (&bit)[Scheme::bits]) {
    return {bit[0] & ~bit[1], bit[1] & ~bit[0], bit[0] & bit[1], bit};
  }
  __device__ __forceinline__ std::uint32_t operator()(int j, const Lanes& l) const {
    const std::uint32_t(&term)[classes] = term_[j];
    // in this form kernels for four classes spill no registers; as a loop, or with a sum in a variable, some do
    if constexpr (classes == 3) {
      return l.two * term[2] + (l.one * term[1] + term[0]);
    } else if constexpr (classes == 4) {
      return l.three * term[3] + (l.two * term[2] + (l.one * term[1] + term[0]));
    } else {
      const std::uint32_t low = l.three * term[3] + (l.two * term[2] + (l.one * term[1] + term[0]));
      return select(l.bit[2], select(l.bit[1], term[6], select(l.bit[0], term[5], term[4])), low);
    }
  }

 private:
  std::uint32_t term_[plane_count][classes];  ///< masks, all ones or zero, and factors
};

/// The tables of one slot.
template <class Scheme>
struct ClassMasks {
  static constexpr int entries = 1 << Scheme::bits;
  ThresholdPlanes<Scheme> planes;
  std::uint32_t cheap[entries], free[entries];  ///< all ones or zero

  __device__ __forceinline__ explicit ClassMasks(const SlotThresholds<Scheme>& t) : planes(t) {
#pragma unroll
    for (int k = 0; k < entries; ++k) {
      cheap[k] = 0u - ((t.cheap >> k) & 1u);
      free[k] = 0u - ((t.free >> k) & 1u);
    }
  }
};

/// Decision of the bit planes of a site.
template <class Scheme>
struct Decided {
  std::uint32_t flip;
  std::uint32_t equal;  ///< undecided lanes
  std::uint32_t class_bit[Scheme::bits];
};

template <class Scheme>
__device__ __forceinline__ Decided<Scheme> decide(const HalfSweepNumbers& numbers, std::uint32_t site,
                                                  std::uint32_t set, std::uint32_t spin,
                                                  const std::uint32_t (&neighbour)[6], std::uint32_t field,
                                                  const ClassMasks<Scheme>& masks) {
  const auto c = Scheme::classify(spin, neighbour, field, masks.cheap, masks.free);
  Four<std::uint32_t> u[plane_count / 4];
  numbers.draw<plane_count / 4>(site, {set, set}, {0, 1}, u);
  auto&& lanes = ThresholdPlanes<Scheme>::lanes(c.bit);
  std::uint32_t less = 0, equal = ~c.always;
#pragma unroll
  for (int j = plane_count - 1; j >= 0; --j) {
    const std::uint32_t t = masks.planes(j, lanes), number = u[j / 4].x[j % 4];
    less = less_step(number, t, less);
    equal = equal_step(equal, number, t);
  }
  Decided<Scheme> d{less | c.always, equal, {}};
#pragma unroll
  for (int b = 0; b < Scheme::bits; ++b) d.class_bit[b] = c.bit[b];
  return d;
}

/// Threshold of the class of one lane. A bit of the class number is 1 where the word `bit` is not zero.
template <int BITS>
__device__ __forceinline__ std::uint32_t threshold_of_class(const std::uint32_t* of_class, const std::uint32_t* bit) {
  if constexpr (BITS == 0) {
    return of_class[0];
  } else {
    const std::uint32_t low = threshold_of_class<BITS - 1>(of_class, bit),
                        high = threshold_of_class<BITS - 1>(of_class + (1 << (BITS - 1)), bit);
    return bit[BITS - 1] ? high : low;
  }
}

/// Queue of words with undecided lanes of one warp, in shared memory. A full warp decides them together. Complete warps
/// only.
template <class Scheme>
class LaneQueue {
 public:
  static constexpr int bits = Scheme::bits;
  static constexpr std::uint32_t capacity = 160;  ///< fewer than 32 entries remain when four times up to 32 are added
  static constexpr std::uint32_t words = (2 + bits) * capacity;

  /// `shared`: `words` words for every warp of the thread block.
  __device__ __forceinline__ explicit LaneQueue(std::uint32_t* shared)
      : entries_(shared + threadIdx.x / 32 * words), below_(lanes_below()) {}

  __device__ __forceinline__ bool full() const { return count_ >= 32; }
  __device__ __forceinline__ bool empty() const { return count_ == 0; }

  /// Adds a word if it has undecided lanes.
  __device__ __forceinline__ void push(std::uint32_t equal, const std::uint32_t (&class_bit)[bits],
                                       std::uint32_t site) {
    const std::uint32_t with = __ballot_sync(~0u, equal != 0);
    if (equal != 0) {
      std::uint32_t* entry = entries_ + count_ + __popc(with & below_);
      entry[0] = equal;
      entry[capacity] = site;
#pragma unroll
      for (int b = 0; b < bits; ++b) entry[(2 + b) * capacity] = class_bit[b];
    }
    count_ += __popc(with);
  }

  /// Draws the residual number of one lane in each of the last 32 (or fewer) words and flips accepted spins.
  /// spins[site] are the words of this set.
  __device__ __forceinline__ void settle(const HalfSweepNumbers& numbers, std::uint32_t set,
                                         const SlotThresholds<Scheme>& thresholds, std::uint32_t* spins) {
    const std::uint32_t take = min(count_, 32u), lane = threadIdx.x & 31u;
    count_ -= take;
    __syncwarp();  // entries, and the spins of the words, are written
    const std::uint32_t* entry = entries_ + count_ + lane;
    std::uint32_t equal = 0, site = 0, class_bit[bits] = {};
    if (lane < take) {
      equal = entry[0];
      site = entry[capacity];
#pragma unroll
      for (int b = 0; b < bits; ++b) class_bit[b] = entry[(2 + b) * capacity];
    }
    __syncwarp();
    const std::uint32_t bit = equal & (0u - equal);
    if (bit != 0) {
      const auto u = numbers.draw(site, 0, residual_draw + __ffs(bit) - 1);
      std::uint32_t of_lane[bits];
#pragma unroll
      for (int b = 0; b < bits; ++b) of_lane[b] = class_bit[b] & bit;
      const std::uint32_t t = threshold_of_class<bits>(thresholds.of_class, of_lane);
      if ((set == 0 ? u.x[0] : u.x[1]) < (t << plane_count)) atomicXor(spins + site, bit);
    }
    push(equal ^ bit, class_bit, site);
  }

 private:
  std::uint32_t* entries_;
  std::uint32_t below_;      ///< the lanes before this one
  std::uint32_t count_ = 0;  ///< the same in all threads of the warp
};

}  // namespace psflip::cuda
