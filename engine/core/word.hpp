#pragma once
#include <cstdint>

#include "engine/core/platform.hpp"

/// Bit-sliced logic on plain machine words. A word holds one bit of many systems (lanes); lanes never talk to each
/// other. Wider words (engine/cpu/word*.hpp) overload these names with their own instructions.
namespace psflip {

template <class W>
concept PlainWord = sizeof(W) <= 8 && static_cast<W>(-1) > W(0);

/// The three-input operation with truth table TABLE. On a GPU as assembly: the optimizer would share and reorder
/// two-input parts of neighbouring operations, which costs more instructions than it saves.
template <int TABLE>
PSFLIP_HD std::uint32_t logic3(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t result = 0;
#ifdef __CUDA_ARCH__
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(TABLE));
#else
  for (unsigned i = 0; i < 8; ++i)
    if (TABLE >> i & 1) result |= (i & 4u ? a : ~a) & (i & 2u ? b : ~b) & (i & 1u ? c : ~c);
#endif
  return result;
}

/// The truth table of f(a, b, c), a function of three bits.
template <class F>
consteval int table_of(F f) {
  int table = 0;
  for (int i = 0; i < 8; ++i)
    if (f((i & 4) != 0, (i & 2) != 0, (i & 1) != 0)) table |= 1 << i;
  return table;
}

template <PlainWord W>
PSFLIP_HD W xor3(W a, W b, W c) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(W) == 4) return logic3<0x96>(a, b, c);
#endif
  return a ^ b ^ c;
}

/// Set where at least two of the three are set: the carry of a full adder.
template <PlainWord W>
PSFLIP_HD W majority(W a, W b, W c) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(W) == 4) return logic3<0xe8>(a, b, c);
#endif
  return (a & b) | (c & (a | b));
}

/// Full adder: a becomes the sum, the carry is returned.
template <class W>
PSFLIP_HD W full_adder(W& a, W b, W c) {
  const W carry = majority(a, b, c);
  a = xor3(a, b, c);
  return carry;
}

/// mask ? a : b, bit by bit.
template <PlainWord W>
PSFLIP_HD W select(W mask, W a, W b) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(W) == 4) return logic3<0xca>(mask, a, b);
#endif
  return b ^ (mask & (a ^ b));
}

/// One bit of the comparison u < t, least significant bit first: `less` so far becomes less including this bit.
template <PlainWord W>
PSFLIP_HD W less_step(W u, W t, W less) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(W) == 4) return logic3<0x8e>(u, t, less);
#endif
  return (~u & t) | (~(u ^ t) & less);
}

/// Keeps the lanes of `equal` in which u and t agree in this bit.
template <PlainWord W>
PSFLIP_HD W equal_step(W equal, W u, W t) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(W) == 4) return logic3<0x90>(equal, u, t);
#endif
  return equal & ~(u ^ t);
}

/// s flipped where a or b is set.
template <PlainWord W>
PSFLIP_HD W flip_where(W s, W a, W b) {
  return s ^ (a | b);
}

/// s flipped where a is set and b is not.
template <PlainWord W>
PSFLIP_HD W flip_unless(W s, W a, W b) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(W) == 4) return logic3<0xb4>(s, a, b);
#endif
  return s ^ (a & ~b);
}

/// Set where exactly one of a and b is set; where `none` is set, also if neither is.
template <PlainWord W>
PSFLIP_HD W one_or_none(W a, W b, W none) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(W) == 4) return logic3<0x3e>(a, b, none);
#endif
  return ~(a & b) & (a | b | none);
}

/// Set where any of the three is set.
template <PlainWord W>
PSFLIP_HD W or3(W a, W b, W c) {
  return a | b | c;
}

/// Set where all three are set.
template <PlainWord W>
PSFLIP_HD W and3(W a, W b, W c) {
  return a & b & c;
}

}  // namespace psflip
