#pragma once
#include <cstdint>

#include "engine/core/lattice.hpp"

/// The part of a periodic lattice that one process holds: consecutive planes perpendicular to the slowest axis, which
/// are xy planes in three dimensions and rows in two.
namespace psflip {

struct Planes {
  std::uint32_t first, count;
};

template <int D>
struct DomainRow : Row<D> {  ///< its compact indices are indices in the memory of the domain
  std::uint32_t site;        ///< compact index of column 0 in the full lattice: the address of its random numbers
};

/// A part of the planes has ghosts on either side, copies of the neighbour's nearest planes: [ghosts][planes][ghosts]
/// in memory. The full lattice needs none, it closes on itself. Rows are numbered y + L (z - first), without the
/// ghosts.
template <int D>
struct Domain {
  std::uint32_t L, first, planes;
  std::uint32_t ghosts;  ///< planes on either side that are copies

  PSFLIP_HD Domain(const Lattice<D>& whole) : L(whole.L), first(0), planes(whole.L), ghosts(0) {}
  /// `depth`: ghosts on either side if it is a part.
  PSFLIP_HD Domain(const Lattice<D>& whole, const Planes& part, std::uint32_t depth = 1)
      : L(whole.L), first(part.first), planes(part.count), ghosts(part.count < whole.L ? depth : 0) {}

  PSFLIP_HD Lattice<D> lattice() const { return {L}; }
  PSFLIP_HD std::uint32_t half() const { return L / 2; }
  PSFLIP_HD std::uint32_t rows_in_plane() const { return D == 3 ? L : 1; }
  PSFLIP_HD std::uint32_t sites_in_plane() const { return rows_in_plane() * L; }
  PSFLIP_HD std::uint32_t rows() const { return planes * rows_in_plane(); }
  PSFLIP_HD std::uint32_t sites() const { return planes * sites_in_plane(); }

  PSFLIP_HD std::uint32_t stored_planes() const { return planes + 2 * ghosts; }
  PSFLIP_HD std::uint32_t stored_rows() const { return stored_planes() * rows_in_plane(); }
  PSFLIP_HD std::uint32_t stored_per_parity() const { return stored_rows() * half(); }

  /// The plane of the lattice at index `stored` in memory.
  PSFLIP_HD std::uint32_t plane(std::uint32_t stored) const { return (stored + first + L - ghosts) % L; }

  /// The index in memory of the plane after (before) plane number `p` of the domain.
  PSFLIP_HD std::uint32_t stored_after(std::uint32_t p) const {
    return ghosts == 0 && p + 1 == planes ? 0 : p + ghosts + 1;
  }
  PSFLIP_HD std::uint32_t stored_before(std::uint32_t p) const {
    return ghosts == 0 && p == 0 ? planes - 1 : p + ghosts - 1;
  }

  PSFLIP_HD DomainRow<D> row(std::uint32_t number, std::uint32_t parity) const {
    const std::uint32_t h = half(), p = D == 3 ? number / L : number, y = D == 3 ? number % L : 0;
    DomainRow<D> r;
    r.begin = (number + ghosts * rows_in_plane()) * h;
    r.site = (number + first * rows_in_plane()) * h;
    r.shift = (y + p + first + parity) & 1u;
    if constexpr (D == 3) {
      r.plus[0] = y + 1 == L ? r.begin - (L - 1) * h : r.begin + h;
      r.minus[0] = y == 0 ? r.begin + (L - 1) * h : r.begin - h;
    }
    r.plus[D - 2] = (stored_after(p) * rows_in_plane() + y) * h;
    r.minus[D - 2] = (stored_before(p) * rows_in_plane() + y) * h;
    return r;
  }
};

}  // namespace psflip
