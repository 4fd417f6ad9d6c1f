#pragma once
#include <cstdint>

#include "engine/core/domain.hpp"

namespace psflip::cuda {

inline constexpr std::uint32_t slab_segment = 8;  ///< planes of one thread
inline constexpr unsigned z_sweep_threads = 256;  ///< of a block, each with its own column

/// Segments of planes. Planes are numbered as they are stored, with the ghost below, if there is one, as 0. Segment k
/// begins at first + k step and has `length` planes or ends at `end`.
struct PlaneSegments {
  std::uint32_t first, step, length, end, count;

  /// All planes of a full lattice.
  static PlaneSegments all(std::uint32_t L, std::uint32_t length) {
    return {0, length, length, L, (L + length - 1) / length};
  }
  /// All own planes of a slab.
  static PlaneSegments all_of_slab(std::uint32_t planes, std::uint32_t length) {
    return {1, length, length, planes + 1, (planes + length - 1) / length};
  }
  /// Planes at each end that are updated together if threads update segments: a whole segment takes less time for a
  /// plane. Fewer planes than here leave too few between the ends to hide the messages.
  static std::uint32_t at_thick_ends(std::uint32_t planes) { return planes >= 6 * slab_segment ? slab_segment : 1; }
  /// The planes at both ends; one plane may be all.
  static PlaneSegments boundary(std::uint32_t planes, std::uint32_t at_each_end) {
    return {1, planes - at_each_end, at_each_end, planes + 1, planes == 1 ? 1u : 2u};
  }
  /// All planes between these, in segments of `length` planes.
  static PlaneSegments interior(std::uint32_t planes, std::uint32_t at_each_end, std::uint32_t length) {
    const std::uint32_t between = planes <= 2 ? 0 : planes - 2 * at_each_end;
    return {1 + at_each_end, length, length, planes + 1 - at_each_end, (between + length - 1) / length};
  }

  PSFLIP_HD std::uint32_t begin_of(std::uint32_t segment) const { return first + segment * step; }
  PSFLIP_HD std::uint32_t end_of(std::uint32_t segment) const {
    const std::uint32_t after = begin_of(segment) + length;
    return after < end ? after : end;
  }
};

}  // namespace psflip::cuda
