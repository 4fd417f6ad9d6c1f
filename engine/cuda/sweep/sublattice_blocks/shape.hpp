#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

/// Division of a cubic lattice among thread blocks, each of which holds some rows of some planes (kernel.cuh).
namespace psflip::cuda {

/// Rows and planes of a sublattice block, for a lattice whose rows of one parity are at most one warp wide. ACROSS
/// blocks share the rows of a plane, DEEP blocks the planes.
template <int L_, int ACROSS, int DEEP>
struct SublatticeBlocks {
  static constexpr std::uint32_t L = L_, across = ACROSS, deep = DEEP, blocks = across * deep;
  static constexpr std::uint32_t rows = (L + across - 1) / across,  ///< of a block; some have one less
      planes = (L + deep - 1) / deep;                               ///< the same
  static constexpr std::uint32_t width = L / 2, threads = 32 * rows;
  static constexpr std::uint32_t plane = width * rows, words = plane * planes;          ///< of one parity, in a block
  static constexpr std::uint32_t lattice_plane = width * L, sites = lattice_plane * L;  ///< of one parity
  PSFLIP_HD static constexpr std::size_t bytes(int G) { return std::size_t{4} * (2 * G + 6) * words; }
  PSFLIP_HD static constexpr std::uint32_t first_row(std::uint32_t number) { return L * number / across; }
  PSFLIP_HD static constexpr std::uint32_t first_plane(std::uint32_t number) { return L * number / deep; }
  static_assert(L % 2 == 0 && width <= 32 && rows <= 16 && L / across >= 2 && L / deep >= 2 && across > 1 && deep > 1);
};

}  // namespace psflip::cuda
