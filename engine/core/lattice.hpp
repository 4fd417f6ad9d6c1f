#pragma once
#include <cstdint>

#include "engine/core/platform.hpp"

/// Periodic square and cubic lattices in checkerboard order: within one parity the sites of a row lie side by side.
namespace psflip {

/// One row of sites of one parity: `L / 2` compact indices from `begin` on, and where its neighbours are. A row is
/// the sites with equal y (and z); its neighbours along y and z are the same columns of other rows of the other parity.
template <int D>
struct Row {
  std::uint32_t begin;         ///< compact index of column 0
  std::uint32_t shift;         ///< x of column c is 2 c + shift
  std::uint32_t plus[D - 1];   ///< compact index of column 0 of the row at y + 1, z + 1
  std::uint32_t minus[D - 1];  ///< the same at y - 1, z - 1
};

template <int D>
struct Lattice {
  static_assert(D == 2 || D == 3);
  std::uint32_t L;

  PSFLIP_HD std::uint32_t half() const { return L / 2; }
  PSFLIP_HD std::uint32_t rows() const { return D == 3 ? L * L : L; }
  PSFLIP_HD std::uint32_t sites_per_parity() const { return rows() * half(); }

  /// Row number y + L z of parity `parity`.
  PSFLIP_HD Row<D> row(std::uint32_t number, std::uint32_t parity) const {
    const std::uint32_t y = number % L, z = number / L, h = half();
    Row<D> r;
    r.begin = number * h;
    r.shift = (y + z + parity) & 1u;
    r.plus[0] = (y + 1 == L ? number + 1 - L : number + 1) * h;
    r.minus[0] = (y == 0 ? number + L - 1 : number - 1) * h;
    if constexpr (D == 3) {
      r.plus[1] = (z + 1 == L ? y : number + L) * h;
      r.minus[1] = (z == 0 ? number + (L - 1) * L : number - L) * h;
    }
    return r;
  }

  /// Column of the neighbour at x + 1 (x - 1) in the same row, other parity.
  PSFLIP_HD std::uint32_t right(std::uint32_t column, std::uint32_t shift) const {
    const std::uint32_t c = column + shift;
    return c == half() ? 0 : c;
  }
  PSFLIP_HD std::uint32_t left(std::uint32_t column, std::uint32_t shift) const {
    return shift ? column : (column == 0 ? half() - 1 : column - 1);
  }
};

}  // namespace psflip
