#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/philox.hpp"
#include "engine/laboratory/multi_hit/recurrences.hpp"
#include "engine/laboratory/multi_hit/site.hpp"

/// Launches of the double checkerboard on the GPU: a thread block updates a tile in shared memory. All arrays are in
/// device memory.
namespace psflip::laboratory::device {

/// A lattice of tiles; spins are +1 and -1 by site x + L (y + L z).
template <int D>
struct TiledView {
  std::int8_t* spins;
  std::uint32_t L, tile;
  FlipThresholds<D> thresholds;

  PSFLIP_HD static constexpr std::uint32_t power(std::uint32_t side) {
    return D == 3 ? side * side * side : side * side;
  }
  /// Of sites in a tile; each is a thread of the paper.
  PSFLIP_HD std::uint32_t pairs() const { return power(tile) / 2; }
  PSFLIP_HD std::uint32_t blocks() const { return power(L / tile) / 2; }
  /// Of the copy of a tile with its boundary.
  PSFLIP_HD std::uint32_t sites_of_copy() const { return power(tile + 2); }
};

/// Where random numbers come from. x <- a x + c of each thread:
template <class Word>
struct LcgOfThreads {
  static constexpr std::uint32_t shared_words = 0;
  Word* states;  ///< [thread]
  Word a, c;
};
/// Philox at an address of each thread.
struct PhiloxOfThreads {
  static constexpr std::uint32_t shared_words = 0;
  KeySchedule keys;
  std::uint32_t taken;  ///< numbers of each thread before this launch
};
/// One sequence for a block, which shared memory holds during a launch.
template <class Recurrence>
struct SequenceOfBlocks {
  static constexpr std::uint32_t shared_words = Recurrence::words;
  std::uint32_t* states;  ///< [block][word]
  std::uint32_t next;     ///< index of the oldest word of every block
};

inline constexpr std::uint32_t most_tile_threads = 1024;

/// Threads of a block: whole warps, no more than numbers of a sequence can be computed together.
template <class Source>
constexpr std::uint32_t most_threads_of = most_tile_threads;
template <class Recurrence>
constexpr std::uint32_t most_threads_of<SequenceOfBlocks<Recurrence>> = Recurrence::at_once / 32 * 32;

template <class Source>
constexpr std::uint32_t tile_threads(std::uint32_t pairs) {
  const std::uint32_t whole_warps = (pairs + 31) / 32 * 32;
  return whole_warps < most_threads_of<Source> ? whole_warps : most_threads_of<Source>;
}

/// Shared memory of a block: the change of the energy, the sequence of the block, the copy of the tile.
template <class Source>
constexpr std::size_t tile_shared_words(std::size_t sites_of_copy) {
  return 1 + Source::shared_words + (sites_of_copy + 3) / 4;
}

/// Tries all sites of the tiles of one parity `hits` times. Adds the change of the energy to changes[block], if it is
/// not null.
template <int D, class Source>
void update_tiles(const TiledView<D>& view, const Source& source, int parity, int hits, std::int64_t* changes);

/// Adds the changes of all blocks to *energy, and all spins to *magnetization, if it is not null.
void measure_tiles(const std::int64_t* changes, std::size_t blocks, const std::int8_t* spins, std::size_t sites,
                   std::int64_t* energy, std::int64_t* magnetization);

}  // namespace psflip::laboratory::device
