#pragma once
#include <cstdint>

#include "engine/core/platform.hpp"

/// Parts of the double checkerboard that CPU and GPU share: where sites lie, and one update.
namespace psflip::laboratory {

struct SiteOfCube {
  std::uint32_t x, y, z;
};

/// Number `index` of the sites with even (parity 0) or odd x + y + z, x fastest, of a cube or square of even side.
template <int D>
PSFLIP_HD SiteOfCube site_of_parity(std::uint32_t index, std::uint32_t side, std::uint32_t parity) {
  const std::uint32_t row = index / (side / 2), y = D == 3 ? row % side : row, z = D == 3 ? row / side : 0;
  return {2 * (index % (side / 2)) + (y + z + parity) % 2, y, z};
}

/// Index of a site in the copy of a tile, which has a boundary of one site.
template <int D>
PSFLIP_HD std::uint32_t index_in_copy(const SiteOfCube& site, std::uint32_t tile) {
  const std::uint32_t side = tile + 2, plane = D == 3 ? site.z + 1 : 0;
  return site.x + 1 + side * (site.y + 1 + side * plane);
}

/// A flip with n < D unsatisfied bonds of 2 D is accepted if the number is smaller than below[n], one with n >= D
/// always.
template <int D>
struct FlipThresholds {
  std::uint32_t below[D];

  PSFLIP_HD bool accept(int unsatisfied, std::uint32_t number) const {
    std::uint32_t threshold = below[0];
    PSFLIP_UNROLL(2)
    for (int n = 1; n < D; ++n) threshold = unsatisfied == n ? below[n] : threshold;
    return (unsatisfied >= D) | (number < threshold);
  }
};

/// Tries a spin in a copy whose rows have `side` sites. Returns the change of the energy in units of J.
template <int D>
PSFLIP_HD int try_spin(std::int8_t* spin, int side, std::uint32_t number, const FlipThresholds<D>& thresholds) {
  int sum = spin[-1] + spin[1] + spin[-side] + spin[side];
  if (D == 3) sum += spin[-side * side] + spin[side * side];
  const int along = *spin * sum;
  int flips = thresholds.accept(D - along / 2, number) ? 1 : 0;
#ifndef __CUDA_ARCH__
  asm("" : "+r"(flips));  // a number for the compiler: no branch, which would often be mispredicted
#endif
  *spin = static_cast<std::int8_t>((*spin ^ -flips) + flips);
  return 2 * along * flips;
}

}  // namespace psflip::laboratory
