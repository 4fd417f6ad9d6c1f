#pragma once
#include <cstdint>

#include "engine/core/platform.hpp"

/// The histogram of the overlap of two replicas: docs/file-format.md.
namespace psflip {

/// Bins of the histogram of the overlap where there are not fewer values, an odd number.
inline constexpr int most_overlap_bins = 63;

/// The bin of an overlap Q = -N, -N + 2, ... N among `bins`, an odd number: symmetric, and 0 is in the middle of one.
PSFLIP_HD std::int32_t overlap_bin(std::int64_t Q, std::int64_t N, std::int32_t bins) {
  return static_cast<std::int32_t>((Q + N + 1) * bins / (2 * (N + 1)));
}

}  // namespace psflip
