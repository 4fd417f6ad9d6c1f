#pragma once
#include <cstddef>
#include <cstdint>

/// Distribution of a cubic lattice over the thread blocks of a cluster and their threads.
namespace psflip::cuda {

inline constexpr std::uint32_t most_threads = 640;     ///< of a block: leaves each thread 100 registers
inline constexpr std::uint32_t unknown_threads = 512;  ///< of a block if L is known only at launch: 128
inline constexpr std::uint32_t most_blocks = 8;        ///< of a portable cluster

struct CubicShape {
  std::uint32_t blocks;   ///< of a cluster; 0: the lattice does not fit
  std::uint32_t planes;   ///< of a block; the last block may have fewer
  std::uint32_t segment;  ///< planes of one thread; the last may have fewer
  std::uint32_t threads;

  friend constexpr bool operator==(const CubicShape& a, const CubicShape& b) {
    return a.blocks == b.blocks && a.planes == b.planes && a.segment == b.segment && a.threads == b.threads;
  }
  /// Planes of the threads that have fewer than `segment`; 0 if all threads have the same number.
  constexpr std::uint32_t short_segment(std::uint32_t L) const {
    const std::uint32_t last = L - (blocks - 1) * planes;  // of the last block
    return last % segment != 0 ? last % segment : planes % segment;
  }
};

/// Bytes of shared memory for `planes` planes of a pack with a group of G replicas: spins and couplings.
constexpr std::size_t cubic_bytes(std::uint32_t L, std::uint32_t planes, std::uint32_t G) {
  return std::size_t{4} * (2 * G + 6) * (L * L / 2) * planes;
}

/// The smallest cluster of at most `max_blocks` thread blocks that holds a lattice, if a block has `limit` bytes of
/// shared memory and `max_threads` threads.
constexpr CubicShape cubic_shape(std::uint32_t L, std::uint32_t G, std::size_t limit, std::uint32_t max_blocks,
                                 std::uint32_t max_threads) {
  const std::uint32_t plane = L * L / 2;
  for (std::uint32_t blocks = 1; blocks <= max_blocks && plane <= max_threads; ++blocks) {
    const std::uint32_t planes = (L + blocks - 1) / blocks;
    if ((blocks - 1) * planes >= L) continue;  // the last block would be empty
    if (cubic_bytes(L, planes, G) > limit) continue;
    const std::uint32_t rows = max_threads / plane < planes ? max_threads / plane : planes;
    const std::uint32_t segment = (planes + rows - 1) / rows;
    return {blocks, planes, segment, plane * ((planes + segment - 1) / segment)};
  }
  return {0, 0, 0, 0};
}

}  // namespace psflip::cuda
