#pragma once
#include <cstdint>

#include "engine/laboratory/field_tiles/box_thread.hpp"

/// Launches of the double checkerboard in a random field on the GPU. All arrays are in device memory.
namespace psflip::laboratory::device {

/// Several configurations of one realization.
struct FieldArrays {
  int configurations;
  std::int8_t* spins;                 ///< [configuration][site]
  const std::int8_t* fields;          ///< [site]
  const FieldThresholds* thresholds;  ///< [configuration]
  unsigned long long* sums;           ///< [configuration] B, then F; the changes of each flip
};

/// Bytes of shared memory of a block.
std::size_t bytes_of_block(const TileBox& box);

/// `hits` updates of the boxes of one parity of all configurations. States is LcgStates or PhiloxStates; thread t of
/// configuration c has state c times all threads + t.
template <class States>
void update_boxes(const FieldArrays& arrays, const TileBox& box, int parity, int hits, const States& numbers);

}  // namespace psflip::laboratory::device
