#pragma once
#include <cstddef>

#include "engine/laboratory/heisenberg/site.hpp"

/// A tile of the double checkerboard with its boundary, in the cache of a CPU or the shared memory of a GPU. The loops
/// over its sites are those of the caller: threads of a block, or a loop that becomes vector instructions.
namespace psflip::laboratory {

/// A periodic square lattice in memory, each component by site x + L y.
template <class Real>
struct SpinArrays {
  Real *x, *y, *z;
  int L;
};

/// Reals of a tile with its boundary.
constexpr std::size_t reals_of_tile(int tile) {
  return 3 * static_cast<std::size_t>(tile + 2) * static_cast<std::size_t>(tile + 2);
}

/// Sites of one parity lie next to each other: component, parity, row -1 ... tile, half of the column.
template <class Real>
struct SpinTile {
  Real* spins;  ///< reals_of_tile(side)
  int side;
  int x, y;  ///< of its first site, both even

  PSFLIP_HD int row_length() const { return side / 2 + 1; }
  PSFLIP_HD int sites() const { return (side + 2) * (side + 2); }  ///< with the boundary
  PSFLIP_HD int index(int parity, int row, int j) const { return (parity * (side + 2) + row + 1) * row_length() + j; }

  PSFLIP_HD Vector3<Real> at(int i) const { return {spins[i], spins[i + sites()], spins[i + 2 * sites()]}; }
  PSFLIP_HD void set(int i, const Vector3<Real>& spin) {
    spins[i] = spin.x;
    spins[i + sites()] = spin.y;
    spins[i + 2 * sites()] = spin.z;
  }

  /// Copies sites from the lattice, those of one thread of `threads`.
  PSFLIP_HD void load(const SpinArrays<Real>& lattice, int thread, int threads) {
    for (int i = thread; i < sites(); i += threads) {
      const int row = i / (side + 2) - 1, column = i % (side + 2) - 1;
      const std::size_t from = site_of(lattice.L, row, column);
      set(index((row + column) & 1, row, (column + 1) / 2), {lattice.x[from], lattice.y[from], lattice.z[from]});
    }
  }
  /// Copies sites without the boundary back to the lattice.
  PSFLIP_HD void store(const SpinArrays<Real>& lattice, int thread, int threads) const {
    for (int i = thread; i < side * side; i += threads) {
      const int row = i / side, column = i % side;
      const std::size_t to = site_of(lattice.L, row, column);
      const Vector3<Real> spin = at(index((row + column) & 1, row, (column + 1) / 2));
      lattice.x[to] = spin.x;
      lattice.y[to] = spin.y;
      lattice.z[to] = spin.z;
    }
  }
  /// Tries sites of one parity, those of one thread.
  template <class Math, bool CONE, class Keys>
  PSFLIP_HD void try_sites(int parity, int thread, int threads, int L, std::uint32_t visit, const Keys& keys,
                           const SiteRule<Real>& rule) {
    const int sites_of_row = side / 2;
    for (int i = thread; i < side * sites_of_row; i += threads)
      try_site<Math, CONE>(parity, i / sites_of_row, i % sites_of_row, L, visit, keys, rule);
  }

  /// Tries site `j` of a parity in a row. True if the new direction is accepted.
  template <class Math, bool CONE, class Keys>
  PSFLIP_HD bool try_site(int parity, int row, int j, int L, std::uint32_t visit, const Keys& keys,
                          const SiteRule<Real>& rule) {
    const int first = (parity + row) & 1, other = 1 - parity;  // `first`: column of the first site
    const int here = index(parity, row, j + first);
    const Vector3<Real> west = at(index(other, row, j)), east = at(index(other, row, j + 1));
    const Vector3<Real> north = at(index(other, row - 1, j + first)), south = at(index(other, row + 1, j + first));
    const Vector3<Real> field = {(west.x + east.x) + (north.x + south.x), (west.y + east.y) + (north.y + south.y),
                                 (west.z + east.z) + (north.z + south.z)};
    const auto site = static_cast<std::uint32_t>(x + 2 * j + first) +
                      static_cast<std::uint32_t>(L) * static_cast<std::uint32_t>(y + row);
    Vector3<Real> spin = at(here);
    const bool accepted = try_spin<Math, CONE>(spin, field, numbers_of_visit(keys, site, visit), rule);
    set(here, spin);
    return accepted;
  }

 private:
  PSFLIP_HD std::size_t site_of(int L, int row, int column) const {
    const int lattice_x = (x + column + L) % L, lattice_y = (y + row + L) % L;
    return static_cast<std::size_t>(lattice_x) + static_cast<std::size_t>(L) * static_cast<std::size_t>(lattice_y);
  }
};

/// What the threads of a block need to update the tiles of a launch.
template <class Real>
struct HeisenbergStep {
  SpinArrays<Real> lattice;
  int side, hits;
  Key key;
  SiteRule<Real> rule;

  /// Tile `pair` of a parity in a row of tiles.
  PSFLIP_HD SpinTile<Real> tile(Real* memory, int pair, int row, int parity) const {
    return {memory, side, (2 * pair + ((row + parity) & 1)) * side, row * side};
  }
  /// One parity of sites of hit half / 2, the share of one thread. All threads are done before the next half.
  template <class Math, bool CONE>
  PSFLIP_HD void try_half(SpinTile<Real>& tile, int half, int thread, int threads, std::uint32_t round) const {
    const std::uint32_t visit = round * static_cast<std::uint32_t>(hits) + static_cast<std::uint32_t>(half / 2);
    tile.template try_sites<Math, CONE>(half & 1, thread, threads, lattice.L, visit, key, rule);
  }
};

}  // namespace psflip::laboratory
