#pragma once
#include "engine/laboratory/layouts/layouts.hpp"

namespace psflip::laboratory {

/// Consecutive pairs of slices of the layout Sliced, for one of several processes (section V and figure 11 of the
/// paper). The lowermost slice of a process is even and its uppermost slice is odd. Even sites have neighbours in the
/// odd slice below, odd sites in the even slice above, so a process stores one ghost slice of each parity:
/// even slices are the own ones and then the ghost, odd slices the ghost and then the own ones. An even slice has the
/// position p, the odd one above it p + 1. index = x' + L (y' + L p).
struct SlicedPart {
  static constexpr bool is_part = true;
  std::uint32_t L;
  std::uint32_t first;  ///< label k of the lowermost own pair of slices
  std::uint32_t count;  ///< own pairs of slices

  SlicedPart(std::uint32_t size, std::uint32_t label, std::uint32_t pairs) : L(size), first(label), count(pairs) {}
  explicit SlicedPart(std::uint32_t size) : SlicedPart(size, 0, size / 2) {}  // a single process

  std::uint32_t slice() const { return L * L; }                                  ///< sites
  std::size_t sites() const { return std::size_t{count + 1} * slice(); }         ///< of one parity, with the ghost
  std::size_t first_own(int parity) const { return parity == 0 ? 0 : slice(); }  ///< index of the first own site
  std::size_t ghost(int parity) const { return parity == 0 ? sites() - slice() : 0; }  ///< first index of the ghost
  /// First index of the slice that a neighbour needs: the lowermost even or the uppermost odd one.
  std::size_t boundary(int parity) const { return parity == 0 ? 0 : sites() - slice(); }

  template <int PARITY>
  PSFLIP_HD std::uint32_t compact(std::uint32_t i) const {
    const std::uint32_t label = (first + L / 2 + i / (L * L) - PARITY) % (L / 2);
    return Sliced(L).template compact<PARITY>(i % (L * L) + label * L * L);
  }
  template <int PARITY>
  PSFLIP_HD Six neighbours(std::uint32_t i) const {
    const std::uint32_t above = PARITY == 0 ? i + L * L : i, below = PARITY == 0 ? i : i - L * L;
    return Sliced::in_slices(L, i % L, (i / L) % L, above, below);
  }
};

}  // namespace psflip::laboratory
