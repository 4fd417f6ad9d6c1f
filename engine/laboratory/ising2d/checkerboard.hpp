#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/platform.hpp"

/// The square lattice as two arrays, one for each parity (x + y) mod 2, each compacted along the rows: figure 1 of
/// Romero et al., Comput. Phys. Commun. 256, 107473 (2020). Column j of parity p in row y is the site
/// x = 2 j + row_offset(y, p).
namespace psflip::laboratory {

PSFLIP_HD int row_offset(int y, int parity) { return (y + parity) & 1; }

/// Row y + step, step = +-1, of a lattice with periodic boundaries.
PSFLIP_HD int neighbour_row(int y, int step, int L) {
  const int row = y + step;
  return row < 0 ? L - 1 : row == L ? 0 : row;
}

/// The neighbours of a site in its row are columns j and side_column() of the other parity, those in the rows next to
/// it column j.
PSFLIP_HD int side_column(int y, int j, int parity, int L) {
  const int columns = L / 2;
  if (row_offset(y, parity) == 1) return j + 1 == columns ? 0 : j + 1;
  return j == 0 ? columns - 1 : j - 1;
}

/// Calls f(parity, y, j, x) for all sites of `rows` rows.
template <class F>
void for_each_site(int L, int rows, F f) {
  for (int parity = 0; parity < 2; ++parity)
    for (int y = 0; y < rows; ++y)
      for (int j = 0; j < L / 2; ++j) f(parity, y, j, 2 * j + row_offset(y, parity));
}
template <class F>
void for_each_site(int L, F f) {
  for_each_site(L, L, f);
}

/// Index x + L y of a site.
inline std::size_t site_index(int x, int y, int L) {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(L) + static_cast<std::size_t>(x);
}

/// The number of unsatisfied bonds of a spin, of four, from the sum of its neighbours; spins are +1 and -1.
PSFLIP_HD int unsatisfied_bonds(int spin, int sum) { return (4 - spin * sum) / 2; }

}  // namespace psflip::laboratory
