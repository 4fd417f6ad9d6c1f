#pragma once
#include <cstdint>
#include <limits>

namespace psflip {

inline constexpr int fourier_table_bits = 20;
inline constexpr int k2_fraction_bits = 10;

/// 2^10 times the sum over `axes` axes of re^2 + im^2, rounded down, saturating (docs/file-format.md). re and im carry
/// the factor 2^20 of the integer cosine tables.
inline std::int64_t k2_from_components(const std::int64_t* re, const std::int64_t* im, int axes) {
  __extension__ using Wide = unsigned __int128;
  Wide sum = 0;
  for (int a = 0; a < axes; ++a) {
    // magnitudes first: squares of signed values in unsigned arithmetic
    const auto r = static_cast<Wide>(re[a] < 0 ? -re[a] : re[a]), i = static_cast<Wide>(im[a] < 0 ? -im[a] : im[a]);
    sum += r * r + i * i;
  }
  const Wide scaled = sum >> (2 * fourier_table_bits - k2_fraction_bits);
  constexpr auto largest = static_cast<Wide>(std::numeric_limits<std::int64_t>::max());
  return static_cast<std::int64_t>(scaled > largest ? largest : scaled);
}

/// The same for two fields: 2^10 times the sum over `axes` axes of re re' + im im', rounded towards minus infinity,
/// saturating.
inline std::int64_t k2_from_two_components(const std::int64_t* re, const std::int64_t* im, const std::int64_t* other_re,
                                           const std::int64_t* other_im, int axes) {
  __extension__ using Wide = __int128;
  Wide sum = 0;
  for (int a = 0; a < axes; ++a) sum += static_cast<Wide>(re[a]) * other_re[a] + static_cast<Wide>(im[a]) * other_im[a];
  const Wide scaled = sum >> (2 * fourier_table_bits - k2_fraction_bits);
  constexpr Wide largest = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(scaled > largest ? largest : scaled < least ? least : scaled);
}

}  // namespace psflip
