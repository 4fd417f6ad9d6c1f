#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

/// Division of a cubic lattice into row blocks for temporal blocking (temporal_kernel.cuh).
namespace psflip::cuda {

struct RowBlockShape {
  std::uint32_t rows;    ///< of a row block; some have one row less
  std::uint32_t blocks;  ///< row blocks of a lattice; 0: single half sweeps are faster than temporal blocking

  friend constexpr bool operator==(const RowBlockShape& a, const RowBlockShape& b) {
    return a.rows == b.rows && a.blocks == b.blocks;
  }
  /// The first row of a row block; for the number `blocks` it is L.
  PSFLIP_HD constexpr std::uint32_t first_row(std::uint32_t block, std::uint32_t L) const { return L * block / blocks; }
  /// Threads of a block, one for each word of a plane.
  constexpr std::uint32_t threads(std::uint32_t L) const { return (L / 2 * rows + 31) / 32 * 32; }
};

inline constexpr std::uint32_t temporal_threads = 512;  ///< at most, of a block: leaves each thread 128 registers
inline constexpr std::uint32_t spare_rows = 2;          ///< of a slot next to the row block, one on each side
inline constexpr int ring_slots = 6;                    ///< planes in shared memory: five in use, one being copied

/// Words of an array in a slot. Copies of two words need the same alignment in the slot as in the lattice: a row of an
/// odd number of words that begins at an odd index in the lattice does so in the slot, which takes one more word.
PSFLIP_HD constexpr std::uint32_t array_words(std::uint32_t L, std::uint32_t rows) {
  const std::uint32_t words = (rows + spare_rows) * (L / 2);
  return L / 2 % 2 == 0 ? words : (words + 2) / 2 * 2;
}
/// Bytes of the ring: planes of spins of G replicas and of couplings.
constexpr std::size_t ring_bytes(std::uint32_t L, std::uint32_t rows, std::uint32_t G) {
  return std::size_t{4} * ring_slots * 2 * (G + 3) * array_words(L, rows);
}

/// Row blocks of least estimated cost whose ring fits in `limit` bytes of shared memory. The cost in time: unequal row
/// blocks wait for each other, multiprocessors that do not suffice for one more lattice are idle, and fewer than twelve
/// warps do not hide latency. The cost in copies: rows that two row blocks load, half a row per row block. All row
/// blocks of a lattice must be co-resident, one on a multiprocessor. The estimate is for groups of four replicas, the
/// largest: all groups of a job must use the same kernel, since temporal blocking leaves the spins in another array.
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
