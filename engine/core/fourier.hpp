#pragma once
#include <cstdint>

#include "engine/core/platform.hpp"

namespace psflip {

inline constexpr int fourier_table_bits = 20;
inline constexpr int k2_fraction_bits = 10;
inline constexpr int k2_shift = 2 * fourier_table_bits - k2_fraction_bits;

/// 2^10 times the sum over `axes` axes of re^2 + im^2, rounded down, saturating (docs/file-format.md). re and im carry
/// the factor 2^20 of the integer cosine tables.
PSFLIP_HD std::int64_t k2_from_components(const std::int64_t* re, const std::int64_t* im, int axes) {
  __extension__ using Wide = unsigned __int128;
  Wide sum = 0;
  for (int a = 0; a < axes; ++a) {
    // magnitudes first: squares of signed values in unsigned arithmetic
    const auto r = static_cast<Wide>(re[a] < 0 ? -re[a] : re[a]), i = static_cast<Wide>(im[a] < 0 ? -im[a] : im[a]);
    sum += r * r + i * i;
  }
  const Wide scaled = sum >> k2_shift;
  constexpr auto largest = static_cast<Wide>(INT64_MAX);
  return static_cast<std::int64_t>(scaled > largest ? largest : scaled);
}

/// Components of two fields of which neither exceeds 2^44 in modulus (any cubic lattice of L <= 256): 2^10 times the
/// sum over `axes` <= 3 axes of re re' + im im', rounded towards minus infinity. In 64-bit integers: with re = 2^15 a +
/// b the products of the upper parts need no rounding, and the rest stays below 2^63. All factors have 32 bits.
PSFLIP_HD std::int64_t k2_of_cube(const std::int64_t* re, const std::int64_t* im, const std::int64_t* other_re,
                                  const std::int64_t* other_im, int axes) {
  static_assert(k2_shift == 30);
  std::int64_t upper = 0, lower = 0;
  const auto add = [&](std::int64_t x, std::int64_t y) {
    const auto a = static_cast<std::int32_t>(x >> 15), b = static_cast<std::int32_t>(x & 0x7fff),
               c = static_cast<std::int32_t>(y >> 15), d = static_cast<std::int32_t>(y & 0x7fff);
    upper += std::int64_t{a} * c;
    lower += (std::int64_t{a} * d + std::int64_t{b} * c) * 0x8000 + b * d;
  };
  for (int axis = 0; axis < axes; ++axis) {
    add(re[axis], other_re[axis]);
    add(im[axis], other_im[axis]);
  }
  return upper + (lower >> 30);
}

}  // namespace psflip
