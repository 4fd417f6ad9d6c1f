#pragma once
#include "engine/core/platform.hpp"

/// Geometry of the double checkerboard in three dimensions of Navarro, Huang and Deng, arXiv:1508.06268, section 3.2: a
/// checkerboard of boxes of sites, each of which is a checkerboard of sites.
namespace psflip::laboratory {

struct IntTriple {
  int x, y, z;
};

/// Boxes of `side` in a periodic lattice of linear size L. Along each axis the side is L, or it divides L an even
/// number of times. A copy of a box has a boundary of one site along the axes where the side is not L; along the others
/// the box is its own neighbour.
struct TileBox {
  int L;
  IntTriple side;

  PSFLIP_HD IntTriple tiles() const { return {L / side.x, L / side.y, L / side.z}; }
  /// Boxes of one parity: one block of threads for each. A single box has parity 0.
  PSFLIP_HD int blocks(int parity) const {
    const IntTriple n = tiles();
    const int all = n.x * n.y * n.z;
    return all == 1 ? 1 - parity : all / 2;
  }
  /// Threads of a block: each has a pair of neighbours along x, one site of either parity.
  PSFLIP_HD int threads() const { return side.x * side.y * side.z / 2; }

  /// Place of a box, counted in boxes.
  PSFLIP_HD IntTriple tile_of(int block, int parity) const {
    const IntTriple n = tiles();
    if (n.x > 1) {
      const int half = n.x / 2, y = block / half % n.y, z = block / half / n.y;
      return {2 * (block % half) + (y + z + parity) % 2, y, z};
    }
    if (n.y > 1) {
      const int half = n.y / 2, z = block / half;
      return {0, 2 * (block % half) + (z + parity) % 2, z};
    }
    return {0, 0, 2 * block + parity};
  }
  /// The site of a parity that a thread has, counted in the box.
  PSFLIP_HD IntTriple site_of(int thread, int parity) const {
    const int half = side.x / 2, y = thread / half % side.y, z = thread / half / side.y;
    return {2 * (thread % half) + (y + z + parity) % 2, y, z};
  }

  PSFLIP_HD IntTriple boundary() const { return {side.x < L ? 1 : 0, side.y < L ? 1 : 0, side.z < L ? 1 : 0}; }
  /// Sides of the copy.
  PSFLIP_HD IntTriple copied() const {
    const IntTriple b = boundary();
    return {side.x + 2 * b.x, side.y + 2 * b.y, side.z + 2 * b.z};
  }
  PSFLIP_HD int copied_sites() const {
    const IntTriple c = copied();
    return c.x * c.y * c.z;
  }
  /// Index in the copy of a site of the box or its boundary.
  PSFLIP_HD int in_copy(IntTriple at) const {
    const IntTriple b = boundary(), c = copied();
    return at.x + b.x + c.x * (at.y + b.y + c.y * (at.z + b.z));
  }
  /// The site with an index of the copy, counted in the box; -1 and `side` are boundary.
  PSFLIP_HD IntTriple of_copy(int index) const {
    const IntTriple b = boundary(), c = copied();
    return {index % c.x - b.x, index / c.x % c.y - b.y, index / c.x / c.y - b.z};
  }
  /// The site with an index of the box without a boundary, x + side.x (y + side.y z).
  PSFLIP_HD IntTriple of_box(int index) const {
    return {index % side.x, index / side.x % side.y, index / side.x / side.y};
  }
  /// Index in the lattice, x + L (y + L z).
  PSFLIP_HD int in_lattice(IntTriple tile, IntTriple at) const {
    return wrapped(tile.x * side.x + at.x) +
           L * (wrapped(tile.y * side.y + at.y) + L * wrapped(tile.z * side.z + at.z));
  }
  PSFLIP_HD int wrapped(int x) const { return x < 0 ? x + L : x >= L ? x - L : x; }
};

/// Whether boxes of this side make a checkerboard of the lattice whose boxes are checkerboards of sites.
inline bool is_tiled_by(int L, IntTriple side) {
  const auto fits = [&](int length) {
    return length >= 2 && length % 2 == 0 && (length == L || (length < L && L % (2 * length) == 0));
  };
  return fits(side.x) && fits(side.y) && fits(side.z);
}

/// Sides above L become L, as at the small sizes of the paper's figure 7.
inline IntTriple cut_to(int L, IntTriple side) {
  const auto cut = [&](int length) { return length < L ? length : L; };
  return {cut(side.x), cut(side.y), cut(side.z)};
}

}  // namespace psflip::laboratory
