#pragma once
#include <bit>
#include <cstdint>

#include "engine/core/word.hpp"

/// Bit-sliced counting in registers and conversion to integers.
namespace psflip::cuda {

/// Bits of a counter up to MOST.
template <std::uint32_t MOST>
inline constexpr int counter_bits = std::bit_width(MOST);

/// 32 counters of bits that are 1, one per sample of a word; plane[j] holds bit j of each. They count up to 2^PLANES -
/// 1.
template <int PLANES>
struct Counter {
  std::uint32_t plane[PLANES] = {};

  /// Counts 8 BLOCKS words, one to three times 8. Seven full adders reduce 8 words to one word of weight 8 (Harley and
  /// Seal); its carry propagates to the higher planes.
  template <int BLOCKS>
  __device__ __forceinline__ void add(const std::uint32_t* words) {
    static_assert(BLOCKS >= 1 && BLOCKS <= 3);
    const std::uint32_t first = add_block(words);
    if constexpr (BLOCKS == 1) return ripple<3>(first);
    const std::uint32_t carry = full_adder(plane[3], first, add_block(words + 8));
    if constexpr (BLOCKS == 2) return ripple<4>(carry);
    const std::uint32_t more = half_adder(plane[3], add_block(words + 16));
    ripple<5>(full_adder(plane[4], carry, more));
  }
  /// Counts any number of words.
  template <int N>
  __device__ __forceinline__ void add_words(const std::uint32_t (&words)[N]) {
    if constexpr (N == 8)
      add<1>(words);
    else
      add_at<0>(words);
  }
  /// Adds the counts of another counter of BITS planes.
  template <int BITS>
  __device__ __forceinline__ void add_counts(const std::uint32_t (&planes)[BITS]) {
    static_assert(BITS <= PLANES);
    std::uint32_t carry = half_adder(plane[0], planes[0]);
#pragma unroll
    for (int j = 1; j < BITS; ++j) carry = full_adder(plane[j], planes[j], carry);
    ripple<BITS>(carry);
  }

 private:
  __device__ __forceinline__ std::uint32_t add_block(const std::uint32_t* words) {
    std::uint32_t four[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const std::uint32_t* w = words + 4 * half;
      const std::uint32_t two = full_adder(plane[0], w[0], w[1]), two_more = full_adder(plane[0], w[2], w[3]);
      four[half] = full_adder(plane[1], two, two_more);
    }
    return full_adder(plane[2], four[0], four[1]);
  }
  /// Adds 2^PLANE for each word. The carries of pairs of words are the words of the next plane.
  template <int PLANE, int N>
  __device__ __forceinline__ void add_at(const std::uint32_t (&words)[N]) {
    if constexpr (N == 1) {
      ripple<PLANE>(words[0]);
    } else if constexpr (PLANE < PLANES) {
      std::uint32_t carry[(N + 1) / 2];
#pragma unroll
      for (int k = 0; k < N / 2; ++k) carry[k] = full_adder(plane[PLANE], words[2 * k], words[2 * k + 1]);
      if constexpr (N % 2 == 1) carry[N / 2] = half_adder(plane[PLANE], words[N - 1]);
      add_at<PLANE + 1>(carry);
    }
  }
  /// Adds 2^FIRST.
  template <int FIRST>
  __device__ __forceinline__ void ripple(std::uint32_t carry) {
#pragma unroll
    for (int j = FIRST; j < PLANES; ++j) carry = half_adder(plane[j], carry);
  }
  __device__ __forceinline__ static std::uint32_t half_adder(std::uint32_t& a, std::uint32_t b) {
    const std::uint32_t carry = a & b;
    a ^= b;
    return carry;
  }
  /// a becomes the sum, the carry is returned.
  __device__ __forceinline__ static std::uint32_t full_adder(std::uint32_t& a, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t carry = majority(a, b, c);
    a = xor3(a, b, c);
    return carry;
  }
};

/// Converts the counts of a counter of eight planes to bytes: byte k of word i is that of sample i + 8 k. Three steps
/// transpose the 8 x 8 bits of every byte (Hacker's Delight, section 7-3).
__device__ __forceinline__ void planes_to_bytes(std::uint32_t (&plane)[8]) {
  std::uint32_t mask = 0x0f0f0f0fu;
#pragma unroll
  for (int step = 4; step > 0; step >>= 1, mask ^= mask << step) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      if (j & step) continue;
      const std::uint32_t low = plane[j], high = plane[j + step];
      plane[j] = select(mask, low, high << step);
      plane[j + step] = select(mask, low >> step, high);
    }
  }
}

/// Transposes the 32 x 32 bits held by a warp: bit b of thread t becomes bit t of thread b. Five steps swap ever
/// smaller off-diagonal blocks between partners (the same section), the first two by permuting bytes.
class BitTranspose {
 public:
  __device__ __forceinline__ BitTranspose() {
    const std::uint32_t lane = threadIdx.x & 31u;
    halves_ = lane & 16u ? 0x3276u : 0x5410u;
    bytes_ = lane & 8u ? 0x3715u : 0x6240u;
    std::uint32_t mask = 0x0f0f0f0fu;
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t step = 4u >> i;
      kept_[i] = lane & step ? ~mask : mask;
      rotation_[i] = lane & step ? 32 - step : step;
      mask ^= mask << (step / 2);
    }
  }

  __device__ __forceinline__ std::uint32_t operator()(std::uint32_t word) const {
    word = __byte_perm(word, __shfl_xor_sync(0xffffffffu, word, 16), halves_);
    word = __byte_perm(word, __shfl_xor_sync(0xffffffffu, word, 8), bytes_);
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t partner = __shfl_xor_sync(0xffffffffu, word, 4 >> i);
      word = select(kept_[i], word, __funnelshift_l(partner, partner, rotation_[i]));
    }
    return word;
  }

 private:
  std::uint32_t halves_, bytes_;         ///< orders of the bytes of two words
  std::uint32_t kept_[3], rotation_[3];  ///< of the last steps: bits that stay, and how far those of the partner move
};

/// The counts of all threads of a warp added up; thread s gets the sum of sample s.
template <int PLANES>
__device__ __forceinline__ int sum_over_warp(const Counter<PLANES>& counter) {
  const BitTranspose transpose;
  int sum = 0;
#pragma unroll
  for (int j = 0; j < PLANES; ++j) sum += __popc(transpose(counter.plane[j])) << j;
  return sum;
}

}  // namespace psflip::cuda
