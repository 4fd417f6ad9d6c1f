#pragma once
#include <cstdint>

#include "engine/core/update.hpp"
#include "engine/random/address.hpp"

/// Bit planes of the thresholds of all lanes of a word, as sums, which the units for multiplication compute. A
/// selection among masks would use the units for logic, which have more to do.
namespace psflip::cuda {

/// Bit j of the thresholds of all lanes of a word, n < 3 unsatisfied bonds: start + (lanes with n = 1) factor[0] +
/// (lanes with n = 2) factor[1]. start is 0 or -1 (all bits 1), a factor is 0, 1 or -1. A lane is in one product at
/// most, so the sum has no carries.
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

/// The same in two dimensions, n < 2: start + (lanes with n = 1) slope.
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

/// Number of neighbours of a spin on a square lattice that are unlike it: `odd` where it is odd, `two` where it is two
/// or more.
struct UnlikeOfFour {
  std::uint32_t odd, two;

  /// The spin cancels in the xor of four bonds. Two or more neighbours are unlike if two of the first three are, or if
  /// an odd number of the first three and the fourth are.
  __device__ __forceinline__ UnlikeOfFour(std::uint32_t spin, const std::uint32_t (&neighbour)[4]) {
    const std::uint32_t parity = xor3(neighbour[0], neighbour[1], neighbour[2]);
    odd = parity ^ neighbour[3];
    two = (majority(neighbour[0], neighbour[1], neighbour[2]) ^ spin) | ((parity ^ spin) & (neighbour[3] ^ spin));
  }
};

}  // namespace psflip::cuda
