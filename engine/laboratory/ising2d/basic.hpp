#pragma once
#include <cstdint>

#include "engine/laboratory/ising2d/acceptance.hpp"
#include "engine/laboratory/ising2d/checkerboard.hpp"
#include "engine/laboratory/ising2d/numbers.hpp"
#include "engine/laboratory/ising2d/slab.hpp"

/// One byte a spin, +1 or -1, in two arrays [y][j]: the basic implementation of Romero et al., section 3.1 and
/// figure 2. The random numbers of a half sweep are in an array that a separate call filled: integers, or floats as in
/// the paper.
namespace psflip::laboratory {

/// The spin of parity `parity` at row y, column j after its update; `other` are the rows of the other parity.
template <class U, class Rule>
PSFLIP_HD std::int8_t updated_spin(std::int8_t spin, const ThreeRows<std::int8_t>& other, U u, int parity, int y, int j,
                                   int L, const Rule& rule) {
  const int sum = other.up[j] + other.down[j] + other.centre[j] + other.centre[side_column(y, j, parity, L)];
  return is_accepted(unsatisfied_bonds(spin, sum), u, rule) ? static_cast<std::int8_t>(-spin) : spin;
}

/// Fills the numbers of four columns of row y.
template <class Numbers>
PSFLIP_HD void fill_four(std::uint32_t* row, int y, int j0, std::uint64_t half_sweep, int L, const Numbers& numbers) {
  const Four<std::uint32_t> four = numbers.four(y, j0, half_sweep);
  for (int i = 0; i < 4; ++i)
    if (j0 + i < L / 2) row[j0 + i] = four.x[i];
}

}  // namespace psflip::laboratory
