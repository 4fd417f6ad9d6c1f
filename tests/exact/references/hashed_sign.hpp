#pragma once
#include <cstdint>

namespace psflip::exact {

/// The deterministic signs of the samples in reference tables: -1 where the top bit of the hash of `index` is set.
inline std::int8_t hashed_sign(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t x = (seed << 32) + index + 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return (x ^ x >> 31) >> 63 ? -1 : 1;
}

}  // namespace psflip::exact
