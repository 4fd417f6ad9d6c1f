#pragma once
#include <cstdint>

#include "engine/core/site_decision.hpp"
#include "engine/random/address.hpp"

/// Bit planes of the thresholds of all lanes of a word. With up to four classes they are sums, which the units for
/// multiplication compute: a selection among masks would use the units for logic, which have more to do. More classes,
/// those of any field, would need too many products, so their masks are selected.
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
  /// Any value where more bonds are unsatisfied. ONLY_TWO: if bit j of the other thresholds is 0.
  template <bool ONLY_TWO>
  __device__ __forceinline__ std::uint32_t plane(int j, const FewUnsatisfied<std::uint32_t>& n) const {
    if constexpr (ONLY_TWO) return n.two * factor[j][1];
    return start[j] + (n.some & ~n.two) * factor[j][0] + n.two * factor[j][1];
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
  template <bool>
  __device__ __forceinline__ std::uint32_t plane(int j, const FewUnsatisfied<std::uint32_t>& n) const {
    return (*this)(j, n.some);
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

/// The same on a cubic lattice: `one` where the number is one, `two` where it is two, arbitrary where it is three or
/// more, but no lane is in both. Of three neighbours the xor and the majority, both with the spin, are the bits of the
/// number that are unlike it.
struct UnlikeOfSix {
  std::uint32_t one, two, three;

  __device__ __forceinline__ UnlikeOfSix(std::uint32_t spin, const std::uint32_t (&neighbour)[6]) {
    const std::uint32_t a = xor3(neighbour[0], neighbour[1], neighbour[2]),
                        b = xor3(neighbour[3], neighbour[4], neighbour[5]),
                        a_twos = majority(neighbour[0], neighbour[1], neighbour[2]),
                        b_twos = majority(neighbour[3], neighbour[4], neighbour[5]), any_one = (a ^ spin) | (b ^ spin),
                        any_two = (a_twos ^ spin) | (b_twos ^ spin), both_twos = (a_twos ^ spin) & (b_twos ^ spin);
    one = a ^ b;
    two = (any_one | any_two) & ~one;
    three = both_twos | (any_one & any_two);
  }
};

/// Bit planes of the thresholds of all lanes whose classes a scheme of core/site_decision.hpp tells apart: a selection
/// among masks.
template <class Scheme>
struct ClassThresholdPlanes {
  using Lanes = const std::uint32_t (&)[Scheme::bits];
  std::uint32_t mask[plane_count][1 << Scheme::bits];

  explicit ClassThresholdPlanes(const std::uint32_t* of_class) {
    for (int j = 0; j < plane_count; ++j)
      for (int k = 0; k < 1 << Scheme::bits; ++k) mask[j][k] = threshold_mask(of_class[k], j);
  }
  /// What operator() needs of the class bits of a word.
  __device__ __forceinline__ static Lanes lanes(const std::uint32_t (&class_bit)[Scheme::bits]) { return class_bit; }
  __device__ __forceinline__ std::uint32_t operator()(int j, Lanes class_bit) const {
    return Scheme::entry(class_bit, mask[j]);
  }
};

/// Up to four classes: the mask of class 0 and, for each other class, its lanes times 0, 1 or -1. No lane is in two
/// classes, so the sums carry nothing.
template <int CLASSES>
struct SumThresholdPlanes {
  static constexpr int bits = CLASSES > 2 ? 2 : 1;
  struct Lanes {
    std::uint32_t of_class[CLASSES];  ///< [0] is not used
  };
  std::uint32_t start[plane_count], factor[plane_count][CLASSES - 1];

  explicit SumThresholdPlanes(const std::uint32_t* of_class) {
    for (int j = 0; j < plane_count; ++j) {
      const auto mask = [&](int k) { return threshold_mask(of_class[k], j); };
      start[j] = mask(0);
      for (int k = 1; k < CLASSES; ++k) factor[j][k - 1] = mask(0) - mask(k);
    }
  }
  /// With three classes, no lane has number 3: see FewUnsatisfied.
  __device__ __forceinline__ static Lanes lanes(const std::uint32_t (&bit)[bits]) {
    if constexpr (CLASSES == 2)
      return {{0, bit[0]}};
    else if constexpr (CLASSES == 3)
      return {{0, bit[0], bit[1]}};
    else
      return {{0, bit[0] & ~bit[1], bit[1] & ~bit[0], bit[0] & bit[1]}};
  }
  __device__ __forceinline__ std::uint32_t operator()(int j, const Lanes& lanes) const {
    std::uint32_t sum = start[j];
#pragma unroll
    for (int k = 1; k < CLASSES; ++k) sum += lanes.of_class[k] * factor[j][k - 1];
    return sum;
  }
};
template <int D>
struct ClassThresholdPlanes<NoField<D>> : SumThresholdPlanes<D> {
  using SumThresholdPlanes<D>::SumThresholdPlanes;
};
template <int D>
struct ClassThresholdPlanes<EqualField<D>> : SumThresholdPlanes<4> {
  using SumThresholdPlanes<4>::SumThresholdPlanes;
};

}  // namespace psflip::cuda
