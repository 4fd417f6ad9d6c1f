#pragma once
#include <cmath>
#include <cstdint>
#include <string>

#include "engine/random/system_tag.hpp"

/// A million costs x = beta dE of a move, and what their acceptance thresholds were when they were stored.
namespace psflip::golden {

inline constexpr std::uint64_t threshold_lines = 1000, cases_of_line = 1000;

/// Case i: a third each uniform in [0, 24), logarithmic down to 2^-60, and 4 (1, 2, 3) / T with T = 1, 1.0001, ... 6.
inline double threshold_case(std::uint64_t i) {
  const std::uint64_t random = splitmix64(i);
  const double unit = std::ldexp(static_cast<double>(random >> 11), -53);
  if (i % 3 == 0) return 24 * unit;
  if (i % 3 == 1) return std::ldexp(1 + unit, -static_cast<int>(random % 61));
  const double T = 1 + static_cast<double>((random >> 8) % 50000) / 10000, beta = 1 / T;
  return beta * 4 * static_cast<double>(1 + random % 3);
}

/// Hash of the thresholds of one line of cases, by the function that is tested.
template <class Threshold>
std::uint64_t threshold_hash(std::uint64_t line, Threshold threshold) {
  std::uint64_t hash = 0;
  for (std::uint64_t i = line * cases_of_line; i < (line + 1) * cases_of_line; ++i)
    hash = splitmix64(hash ^ threshold(threshold_case(i)));
  return hash;
}

}  // namespace psflip::golden
