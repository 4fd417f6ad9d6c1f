#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "engine/models/integers.hpp"

namespace psflip {

/// Integers measured at one moment. Those with Scope::replica are [sample][replica], those with Scope::pair
/// [sample][pair] with pairs in the order (0,1), (0,2), ..., (1,2), ...; empty if not measured. An engine that holds
/// some planes only gives the sums over these planes, and for Kind::fourier instead of every k2 the Fourier components
/// [axis][re, im] with the factor 2^20 of the integer cosine table: squares can only be taken of sums over all planes.
struct Observation {
  std::array<std::vector<std::int64_t>, integer_count> values;

  std::vector<std::int64_t>& operator[](Integer integer) { return values[static_cast<std::size_t>(integer)]; }
  const std::vector<std::int64_t>& operator[](Integer integer) const {
    return values[static_cast<std::size_t>(integer)];
  }
};

}  // namespace psflip
