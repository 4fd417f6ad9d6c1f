#pragma once
#include <cstddef>

#include "engine/models/system.hpp"

namespace psflip::bench {

/// Lower bound on the work of one attempted flip: operations in any kernel, bytes in those of engine/cuda.
struct FlipModel {
  double bytes;         ///< moved between the memory of the GPU and its chip
  double operations;    ///< 32-bit instructions that a GPU executes at the rate of LOP3
  double philox_calls;  ///< Philox4x32-10, whose multiplications have a rate of their own
};

/// On-chip memory: a lattice that does not fit is read and written in every sweep or every second one.
struct OnChip {
  std::size_t resident_bytes;  ///< shared memory that can hold one lattice for many sweeps
  std::size_t cache_bytes;     ///< L2, which can hold everything
};

/// The temperature of the system counts: it says in how many planes of the independent mode all thresholds are zero.
FlipModel flip_model(const System& system, const OnChip& chip);

}  // namespace psflip::bench
