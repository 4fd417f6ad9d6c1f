#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

namespace psflip::cuda {

/// Memory of slabs: words[pack][parity][field][plane][word], with `ghosts` planes before the first and after the last
/// plane that are copies of the neighbours' planes. A field is a replica; with packed sites a pack is one lattice.
///
/// A message holds as many planes: [pack][field][ghost][word] of one parity, or [pack][parity][field][ghost][word].
struct PlaneMemory {
  std::uint32_t* words;
  std::uint32_t packs, fields, planes, plane;  ///< own planes, words of one
  std::uint32_t ghosts = 1;
  bool sends_both_parities = false;
  std::uint32_t stored = planes + 2 * ghosts;  ///< planes in memory

  /// Words from a field of one parity to the next one.
  PSFLIP_HD std::size_t in_field() const { return std::size_t{stored} * plane; }
  /// Numbers of planes as in index(): the first one that the neighbour of a side needs, and the first ghost there. Side
  /// 0: smaller coordinates.
  PSFLIP_HD std::uint32_t outer(int side) const { return side == 0 ? ghosts : planes; }
  PSFLIP_HD std::uint32_t ghost(int side) const { return side == 0 ? 0 : planes + ghosts; }
  PSFLIP_HD std::size_t in_message() const {
    return std::size_t{packs} * fields * (sends_both_parities ? 2 : 1) * ghosts * plane;
  }
  /// Index in memory of word `i` of a message about the `ghosts` planes from plane number `first` on, counted from the
  /// first ghost, which is 0. `parity`: of a message with one parity.
  PSFLIP_HD std::size_t index(std::size_t i, std::uint32_t parity, std::uint32_t first) const {
    const std::size_t in_field = std::size_t{ghosts} * plane, field = i / in_field,
                      pack = sends_both_parities ? 0 : field / fields,
                      in_memory = field + (sends_both_parities ? 0 : (pack + parity) * fields);
    return (in_memory * stored + first) * plane + (i - field * in_field);
  }
};

/// Copies of a message that a rank keeps in GPU memory: for each side one to send and two to receive.
inline constexpr std::size_t copies_of_message = 6;

}  // namespace psflip::cuda
