#pragma once
#include <cstdint>

#include "engine/core/platform.hpp"

/// The recurrences of the generators of Weigel, J. Comput. Phys. 231, 3064 (2012), section 3.3, and MT19937, for host
/// and device.
namespace psflip::laboratory {

/// x <- a x + c mod 2^32 or 2^64, the paper's multipliers.
template <class Word>
struct Lcg;
template <>
struct Lcg<std::uint32_t> {
  static constexpr std::uint32_t a = 1664525u, c = 1013904223u;
  PSFLIP_HD static constexpr std::uint32_t number(std::uint32_t x) { return x; }
};
template <>
struct Lcg<std::uint64_t> {
  static constexpr std::uint64_t a = 2862933555777941757u, c = 1442695040888963407u;
  PSFLIP_HD static constexpr std::uint32_t number(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
};

/// A sequence in a ring of the last `words` words, the oldest of which is x[i]. next(x, i) replaces it, number() makes
/// the random number of it. Up to `at_once` consecutive words can be computed together, if all are computed before one
/// of them is written.
///
/// x_n = x_{n - R} + x_{n - S} mod 2^32, R > S.
template <int R, int S>
struct LaggedSum {
  static constexpr std::uint32_t words = R, at_once = S;
  PSFLIP_HD static std::uint32_t next(const std::uint32_t* x, std::uint32_t i) {
    return x[i] + x[i >= S ? i - S : i + R - S];
  }
  PSFLIP_HD static constexpr std::uint32_t number(std::uint32_t x) { return x; }
};

/// MT19937 of Matsumoto and Nishimura, one word at a time.
struct TwisterRecurrence {
  static constexpr std::uint32_t words = 624, lag = 397, at_once = words - lag;
  PSFLIP_HD static std::uint32_t next(const std::uint32_t* x, std::uint32_t i) {
    const std::uint32_t y = (x[i] & 0x80000000u) | (x[i + 1 == words ? 0 : i + 1] & 0x7fffffffu);
    return x[i + lag < words ? i + lag : i + lag - words] ^ (y >> 1) ^ ((0u - (y & 1u)) & 0x9908b0dfu);
  }
  PSFLIP_HD static constexpr std::uint32_t number(std::uint32_t x) {
    x ^= x >> 11;
    x ^= (x << 7) & 0x9d2c5680u;
    x ^= (x << 15) & 0xefc60000u;
    return x ^ (x >> 18);
  }
};

}  // namespace psflip::laboratory
