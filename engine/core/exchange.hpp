#pragma once
#include <cstdint>

#include "engine/core/platform.hpp"

/// The decision to exchange the configurations of two temperature slots, in integers so that every machine decides the
/// same (docs/randomness.md).
namespace psflip {

/// Integer weights of one pair of neighbouring slots: 2^shift times -log2 of the acceptance probability is
/// bond * (B_hot - B_cold) + field * (F_hot - F_cold).
struct ExchangeWeights {
  std::int64_t bond, field;
};

PSFLIP_HD std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
#ifdef __CUDA_ARCH__
  return __umul64hi(a, b);
#else
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64);
#endif
}

/// 2^63 2^(-fraction / 2^64) by Horner's rule; the coefficients are 2^63 (ln 2)^m / m!. The result is off by less than
/// 2^63 10^-12.
PSFLIP_HD std::uint64_t exp2_of_minus(std::uint64_t fraction) {
  constexpr std::uint64_t coefficient[] = {
      0x8000000000000000u, 0x58b90bfbe8e7bcd6u, 0x1ebfbdff82c58ea8u, 0x071ac235c1282fe3u, 0x013b2ab6fba4e773u,
      0x002bb0ffcf14ce62u, 0x00050c244be1b1e2u, 0x00007ff2ff1622c3u, 0x00000b160111d2e4u, 0x000000da929e9cafu,
      0x0000000f267a8ac6u, 0x00000000f465639bu, 0x000000000e1deb28u};
  std::uint64_t q = coefficient[12];
  PSFLIP_UNROLL(12)
  for (int m = 11; m >= 0; --m) q = coefficient[m] - multiply_high(q, fraction);
  return q;
}

/// The exchange is accepted when a 32-bit number is below this; 2^32 for "always". `x` is 2^shift times -log2 of the
/// acceptance probability, shift is 32 to 52.
PSFLIP_HD std::uint64_t exchange_threshold(std::int64_t x, int shift) {
  if (x <= 0) return std::uint64_t{1} << 32;
  const auto whole = static_cast<std::uint64_t>(x) >> shift;
  if (whole > 32) return 0;
  const std::uint64_t fraction = (static_cast<std::uint64_t>(x) << (64 - shift)) >> 32 << 32;
  return exp2_of_minus(fraction) >> (31 + whole);
}

}  // namespace psflip
