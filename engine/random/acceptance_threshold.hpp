#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

/// The Metropolis acceptance probability as a 32-bit integer, by integer arithmetic alone. The C library has no part in
/// it, so that the same job gives the same bits on every machine.
namespace psflip {

/// 2^63 2^(-fraction / 2^64) by Horner's rule; the coefficients are 2^63 (ln 2)^m / m!, rounded to nearest. The result
/// is off by less than 2^63 2^-58.
inline constexpr std::uint64_t precise_exp2_of_minus(std::uint64_t fraction) {
  __extension__ using Wide = unsigned __int128;
  constexpr std::uint64_t coefficient[] = {
      0x8000000000000000u, 0x58b90bfbe8e7bcd6u, 0x1ebfbdff82c58ea8u, 0x071ac235c1282fe3u, 0x013b2ab6fba4e773u,
      0x002bb0ffcf14ce62u, 0x00050c244be1b1e2u, 0x00007ff2ff1622c3u, 0x00000b160111d2e4u, 0x000000da929e9cafu,
      0x0000000f267a8ac6u, 0x00000000f465639bu, 0x000000000e1deb28u, 0x0000000000c0b0cau, 0x0000000000098a4bu,
      0x00000000000070dcu, 0x00000000000004e4u, 0x0000000000000033u, 0x0000000000000002u};
  std::uint64_t q = 0;
  for (int m = 18; m >= 0; --m)
    q = coefficient[m] - static_cast<std::uint64_t>((static_cast<Wide>(q) * fraction) >> 64);
  return q;
}

/// min(floor(2^32 exp(-x)), 2^32 - 1) with exp(-x) rounded to 53 bits, for x >= 0 (infinity included). A move that
/// costs x in units of the temperature is accepted when a 32-bit random number is below this.
inline constexpr std::uint32_t acceptance_threshold(double x) {
  __extension__ using Wide = unsigned __int128;
  constexpr std::uint32_t most = 0xffffffffu;
  if (x >= 23) return 0;  // 32 ln 2 = 22.2
  if (x < 0x1p-33) return most;
  // x = mantissa 2^-scale, and x log2(e) = product 2^-(scale + 62)
  constexpr std::uint64_t log2_e_high = 0x5c551d94ae0bf85du, log2_e_low = 0xdf43ff68348e9f44u;  // 2^126 log2(e)
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1} << 52);
  const int scale = 1075 - static_cast<int>(bits >> 52);  // 48 to 85
  const Wide product = static_cast<Wide>(mantissa) * log2_e_high + ((static_cast<Wide>(mantissa) * log2_e_low) >> 64);
  const int whole = scale + 62 < 128 ? static_cast<int>(product >> (scale + 62)) : 0;
  const std::uint64_t power = precise_exp2_of_minus(static_cast<std::uint64_t>(product >> (scale - 2)));
  const std::uint64_t rounded = (power + 0x200) & ~std::uint64_t{0x3ff};
  return whole > 32 ? 0 : static_cast<std::uint32_t>(std::min<std::uint64_t>(rounded >> (31 + whole), most));
}

}  // namespace psflip
