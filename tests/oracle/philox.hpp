#pragma once
#include <array>
#include <cstdint>

namespace psflip::oracle {

using Counter = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

/// Philox4x32-10, written from Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011),
/// section 4. Tested against the known answers that the authors publish with Random123.
inline Counter philox4x32_10(Counter c, Key k) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product_0 = std::uint64_t{0xD2511F53} * c[0];
    const std::uint64_t product_2 = std::uint64_t{0xCD9E8D57} * c[2];
    const auto high_0 = static_cast<std::uint32_t>(product_0 >> 32), low_0 = static_cast<std::uint32_t>(product_0);
    const auto high_2 = static_cast<std::uint32_t>(product_2 >> 32), low_2 = static_cast<std::uint32_t>(product_2);
    c = {high_2 ^ c[1] ^ k[0], low_2, high_0 ^ c[3] ^ k[1], low_0};
    k = {k[0] + 0x9E3779B9, k[1] + 0xBB67AE85};
  }
  return c;
}

}  // namespace psflip::oracle
