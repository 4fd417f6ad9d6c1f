#pragma once
#include <cstdint>

#include "engine/core/update.hpp"
#include "engine/random/address.hpp"

/// Bit planes of the thresholds of all lanes of a word, as sums, which the units for multiplication compute. A
/// selection among masks would use the units for logic, which have more to do.
namespace psflip::cuda {

/// Bit j of the threshold of a lane with n < 3 unsatisfied bonds: the mask of n = 0 and, for n = 1 and 2, the lanes
/// with so many times 0, 1 or -1. No lane counts twice, so the sum carries nothing.
struct CubicThresholdPlanes {
  std::uint32_t start[plane_count], factor[plane_count][2];

  explicit CubicThresholdPlanes(const Thresholds& t) {
    for (int j = 0; j < plane_count; ++j) {
      const auto mask = [&](int n) { return threshold_mask(t.by_unsatisfied[n], j); };
      start[j] = mask(0);
      for (const int n : {1, 2}) factor[j][n - 1] = mask(0) - mask(n);
    }
  }
  /// Any value where more bonds are unsatisfied.
  __device__ __forceinline__ std::uint32_t operator()(int j, const BondCount<std::uint32_t>& n) const {
    return start[j] + n.ones * factor[j][0] + (n.twos & ~n.ones) * factor[j][1];
  }
};

/// The same in two dimensions, n < 2.
struct SquareThresholdPlanes {
  struct alignas(8) Line {
    std::uint32_t start, slope;
  };
  Line line[plane_count];

  explicit SquareThresholdPlanes(const Thresholds& t) {
    for (int j = 0; j < plane_count; ++j) {
      const auto mask = [&](int n) { return threshold_mask(t.by_unsatisfied[n], j); };
      line[j] = {mask(0), mask(0) - mask(1)};
    }
  }
  /// `one`: lanes with one unsatisfied bond. Any value where more are unsatisfied.
  __device__ __forceinline__ std::uint32_t operator()(int j, std::uint32_t one) const {
    return one * line[j].slope + line[j].start;
  }
};

/// The number of unsatisfied bonds on a square lattice without couplings: whether it is odd, and whether it is two or
/// more.
struct UnlikeOfFour {
  std::uint32_t odd, two;

  /// An odd number of four neighbours is unlike the spin if an odd number of them is set. Two or more are unlike if two
  /// of three are, or if one of three and the fourth is.
  __device__ __forceinline__ UnlikeOfFour(std::uint32_t spin, const std::uint32_t (&neighbour)[4]) {
    const std::uint32_t parity = xor3(neighbour[0], neighbour[1], neighbour[2]);
    odd = parity ^ neighbour[3];
    two = (majority(neighbour[0], neighbour[1], neighbour[2]) ^ spin) | ((parity ^ spin) & (neighbour[3] ^ spin));
  }
};

}  // namespace psflip::cuda
