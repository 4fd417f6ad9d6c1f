#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/cuda/sweep/half_sweep/plane_segments.hpp"

/// Half sweeps of slabs that overlap: one launch of each GPU updates its planes many times, and the outer planes pass
/// between the GPUs meanwhile.
namespace psflip::cuda {

/// Half sweeps of one launch.
struct SlabSweeps {
  std::uint32_t first, count;              ///< half sweeps
  std::uint32_t before;                    ///< half sweeps that `done` counts before this launch
  std::uint32_t packs, segments, columns;  ///< tiles of a half sweep along each axis
  std::uint32_t reach;                     ///< tiles of columns to either side that a tile adjoins
  std::uint32_t* taken;                    ///< tiles that thread blocks have begun, zero before the launch
  std::uint32_t* done;                     ///< [pack][segment][columns] half sweeps that tiles are done with

  /// For lattices of linear size L. A row has L / 2 columns and adjoins the rows before and after it; one more tile
  /// covers an incomplete last tile. `progress`: words() words, all zero at first.
  SlabSweeps(std::uint32_t L, std::uint32_t packs_, std::uint32_t segments_, std::uint32_t* progress)
      : first(0),
        count(0),
        before(0),
        packs(packs_),
        segments(segments_),
        columns(columns_of(L)),
        reach(std::min(columns, (L / 2 + z_sweep_threads - 1) / z_sweep_threads + 1)),
        taken(progress),
        done(progress + 1) {}

  /// Tiles of the columns of a plane.
  static std::uint32_t columns_of(std::uint32_t L) { return (L * L / 2 + z_sweep_threads - 1) / z_sweep_threads; }
  static std::size_t words(std::uint32_t L, std::uint32_t packs, std::uint32_t segments) {
    return 1 + std::size_t{packs} * segments * columns_of(L);
  }
  std::uint32_t tiles() const { return packs * segments * columns; }
};

/// The segments of the planes of a slab: as long as leaves enough tiles for two thread blocks of every multiprocessor
/// of a large GPU. A long segment reads fewer planes of other segments and waits less often.
inline PlaneSegments slab_segments(std::uint32_t planes, std::uint32_t L, std::uint32_t packs) {
  constexpr std::uint32_t fewest_tiles = 400;
  const std::uint32_t of_segment = packs * SlabSweeps::columns_of(L);
  std::uint32_t length = 4 * slab_segment;
  while (length > slab_segment && of_segment * ((planes + length - 1) / length) < fewest_tiles) length /= 2;
  return PlaneSegments::all_of_slab(planes, length);
}

/// Memory that the GPUs of adjoining slabs write, [0] towards smaller z. Messages: [parity][side][pack][replica][word]
/// of the outer plane. Numbers: [side][pack][columns] half sweeps that the tiles at the end of a slab are done with.
struct SlabNeighbours {
  const std::uint32_t* messages[2];  ///< from the neighbours, of parity 0
  const std::uint32_t* done[2];
  std::uint32_t* messages_there[2];  ///< to the neighbours
  std::uint32_t* done_there[2];
  std::size_t of_parity;   ///< words from the messages of parity 0 to those of parity 1
  std::uint32_t replicas;  ///< of a message
};

}  // namespace psflip::cuda
