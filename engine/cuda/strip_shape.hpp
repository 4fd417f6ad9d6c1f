#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

/// How a cubic lattice that no shared memory holds is cut into strips of rows (streaming.cuh).
namespace psflip::cuda {

struct StripShape {
  std::uint32_t rows;    ///< of a strip
  std::uint32_t strips;  ///< of a lattice; the last one begins earlier, so that it has as many rows
};

inline constexpr std::uint32_t streaming_threads = 640;  ///< at most, of a block
inline constexpr std::uint32_t spare_rows = 4;  ///< rows that a slot holds beyond those of the strip, two on each side

/// Words of an array in a slot. Rows of an odd number of words begin at an odd place when they do so in the lattice:
/// copies of two words at once need it, and a place more.
PSFLIP_HD constexpr std::uint32_t array_words(std::uint32_t L, std::uint32_t rows) {
  const std::uint32_t words = (rows + spare_rows) * (L / 2);
  return L / 2 % 2 == 0 ? words : (words + 2) / 2 * 2;
}
constexpr std::size_t slot_words(std::uint32_t L, std::uint32_t rows, int G) {
  return std::size_t{2} * (G + 3) * array_words(L, rows);
}

inline constexpr int ring_slots = 5;  ///< planes in shared memory: three in use, two on their way

/// The strip that costs the least repeated work when its ring of slots is to fit into `limit` bytes of shared memory;
/// rows = 0 when half sweeps through the caches are faster than any. For groups of four replicas, the largest: all
/// groups of a job must go the same way, as strips leave the spins in another array.
constexpr StripShape choose_strip(std::uint32_t L, std::size_t limit) {
  StripShape best{0, 0};
  double least = 1.4;
  for (std::uint32_t rows = 2; rows <= L && L / 2 * (rows + 2) <= streaming_threads; ++rows) {
    const std::uint32_t strips = (L + rows - 1) / rows;
    const double work = strips * (rows + 1.0) / L;
    if (ring_slots * 4 * slot_words(L, rows, 4) > limit || work >= least) continue;
    best = {rows, strips};
    least = work;
  }
  return best;
}

}  // namespace psflip::cuda
