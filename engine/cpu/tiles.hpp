#pragma once
#include <algorithm>
#include <cstdint>

#include "engine/core/domain.hpp"
#include "engine/cpu/ranges.hpp"

/// An order of half sweeps for lattices that are larger than the cache: several half sweeps update a part of the
/// lattice while it stays there (wavefront blocking with skewed tiles).
namespace psflip::cpu {

inline constexpr std::uint32_t half_sweeps_in_pass = 8;

/// A periodic axis of `length` places, in half sweep `h` of a pass. This half sweep is at place p at position p + h if
/// p >= h, else one period later: it is two positions behind half sweep h - 1 and begins one place after it.
struct SkewedAxis {
  std::uint32_t length, h;

  std::uint32_t begin() const { return 2 * h; }  ///< first position
  std::uint32_t end() const { return length + 2 * h; }
  std::uint32_t place(std::uint32_t position) const { return position - h; }  ///< not reduced to one period
};

/// Half sweeps `first` ... `first` + `count` - 1 of the rows at some positions of the y axis, in all planes.
template <class Update>
void update_tile(const Domain<3>& domain, std::uint64_t first, std::uint32_t count, RowRange positions, Update update) {
  const std::uint32_t L = domain.L;
  for (std::uint32_t step = 0; step < L + 2 * (count - 1); ++step) {
    for (std::uint32_t h = 0; h < count; ++h) {
      const SkewedAxis axis{L, h};
      const std::uint32_t begin = std::max(positions.first, axis.begin()), end = std::min(positions.last, axis.end());
      if (begin >= end || step < axis.begin() || step >= axis.end()) continue;
      const std::uint32_t plane = axis.place(step) % L * L, y = axis.place(begin), y_end = axis.place(end);
      const HalfSweeps one{first + h, first + h + 1};
      if (y < L) update(one, RowRange{plane + y, plane + std::min(y_end, L)});
      if (y_end > L) update(one, RowRange{plane + std::max(y, L) - L, plane + y_end - L});
    }
  }
}

/// Calls update(one half sweep, rows) for all rows of a lattice without ghosts and all of `half_sweeps`. Row y of plane
/// z has its turn in half sweep h after half sweep h - 1 has updated this row and the rows y - 1, y + 1, z - 1 and z +
/// 1, and before half sweep h + 1 updates any of them: the spins are those of one half sweep after the other.
template <class Update>
void update_in_tiles(const Domain<3>& domain, HalfSweeps half_sweeps, std::uint32_t rows_in_tile, Update update) {
  const std::uint64_t most = std::min(half_sweeps_in_pass, domain.L);  // a place is reduced by one period at most
  for (std::uint64_t first = half_sweeps.first; first < half_sweeps.last; first += most) {
    const auto count = static_cast<std::uint32_t>(std::min(most, half_sweeps.last - first));
    const std::uint32_t positions = domain.L + 2 * (count - 1);
    for (std::uint32_t begin = 0; begin < positions; begin += rows_in_tile)
      update_tile(domain, first, count, {begin, std::min(begin + rows_in_tile, positions)}, update);
  }
}

}  // namespace psflip::cpu
