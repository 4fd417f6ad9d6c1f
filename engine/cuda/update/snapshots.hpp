#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

namespace psflip::cuda {

/// Spins after each of some intervals of half sweeps, for measurements. The array `current` holds those before the
/// first interval, then those after the last one. With one interval there are no other arrays.
struct Snapshots {
  std::uint32_t* current;
  std::uint32_t* others = nullptr;  ///< [interval but the last][word]
  std::size_t words = 0;            ///< of an array
  std::uint32_t intervals = 1;

  PSFLIP_HD std::uint32_t* after(std::uint32_t interval) const {
    return interval + 1 < intervals ? others + interval * words : current;
  }
};

}  // namespace psflip::cuda
