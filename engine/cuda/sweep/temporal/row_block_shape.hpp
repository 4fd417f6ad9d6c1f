#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

/// How a cubic lattice that no shared memory holds is cut into strips of rows (streaming.cuh).
namespace psflip::cuda {

struct RowBlockShape {
  std::uint32_t rows;    ///< of a strip, or one less
  std::uint32_t blocks;  ///< of a lattice; 0: half sweeps through the caches are faster than any

  friend constexpr bool operator==(const RowBlockShape& a, const RowBlockShape& b) {
    return a.rows == b.rows && a.blocks == b.blocks;
  }
  /// The first row of a strip; that of strip `blocks` is L.
  PSFLIP_HD constexpr std::uint32_t first_row(std::uint32_t block, std::uint32_t L) const { return L * block / blocks; }
  /// Threads of a block, one for each word of a plane.
  constexpr std::uint32_t threads(std::uint32_t L) const { return (L / 2 * rows + 31) / 32 * 32; }
};

inline constexpr std::uint32_t temporal_threads = 512;  ///< at most, of a block: leaves each thread 128 registers
inline constexpr std::uint32_t spare_rows = 2;  ///< rows that a slot holds beyond those of the strip, one on each side
inline constexpr int ring_slots = 6;            ///< planes in shared memory: five in use, one on its way

/// Words of an array in a slot. Rows of an odd number of words begin at an odd place when they do so in the lattice:
/// copies of two words at once need it, and a place more.
PSFLIP_HD constexpr std::uint32_t array_words(std::uint32_t L, std::uint32_t rows) {
  const std::uint32_t words = (rows + spare_rows) * (L / 2);
  return L / 2 % 2 == 0 ? words : (words + 2) / 2 * 2;
}
/// Of the ring: planes of spins of G replicas and of couplings.
constexpr std::size_t ring_bytes(std::uint32_t L, std::uint32_t rows, std::uint32_t G) {
  return std::size_t{4} * ring_slots * 2 * (G + 3) * array_words(L, rows);
}

/// The strips that cost least when a ring fits into `limit` bytes of shared memory: in time, where unequal strips wait
/// for each other, multiprocessors that are too few for one more lattice idle and fewer than twelve warps do not hide
/// what they wait for, and in rows that two strips load, at half a row a strip. All strips of a lattice must be
/// resident at once, one on a multiprocessor. For groups of four replicas, the largest: all groups of a job must go the
/// same way, as strips leave the spins in another array.
constexpr RowBlockShape choose_row_blocks(std::uint32_t L, std::size_t limit, std::uint32_t multiprocessors) {
  RowBlockShape best{0, 0};
  double least = 1.8;
  for (std::uint32_t blocks = 1; blocks <= multiprocessors && blocks <= L / 2; ++blocks) {
    const RowBlockShape shape{(L + blocks - 1) / blocks, blocks};
    const std::uint32_t threads = shape.threads(L), busy = multiprocessors / blocks * blocks;
    const double idle = (threads < 384 ? 384.0 / threads : 1) * multiprocessors / busy;
    const double cost = blocks * (shape.rows + 0.5) / L * idle;
    if (threads > temporal_threads || cost >= least || ring_bytes(L, shape.rows, 4) > limit) continue;
    best = shape;
    least = cost;
  }
  return best;
}

}  // namespace psflip::cuda
