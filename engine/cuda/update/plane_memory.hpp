#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

namespace psflip::cuda {

/// Memory of slabs: words[pack][parity][field][plane][word], with a ghost before the first and after the last plane. A
/// field is a replica; with packed sites a pack is one lattice.
struct PlaneMemory {
  std::uint32_t* words;
  std::uint32_t packs, fields, planes, plane;  ///< own planes, words of one

  PSFLIP_HD std::size_t in_message() const { return std::size_t{packs} * fields * plane; }
  /// Index in memory of word `i` of a message [pack][field][word] about plane number `stored`, counted from the first
  /// ghost, which is 0.
  PSFLIP_HD std::size_t index(std::size_t i, std::uint32_t parity, std::uint32_t stored) const {
    const std::size_t row = i / plane, pack = row / fields, field = row - pack * fields;
    return (((2 * pack + parity) * fields + field) * (planes + 2) + stored) * plane + (i - row * plane);
  }
};

}  // namespace psflip::cuda
