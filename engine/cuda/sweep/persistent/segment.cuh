#pragma once
#include "engine/cuda/update/z_sweep.cuh"

namespace psflip::cuda {

/// The z-sweep of this thread, with a length known at compile time if possible. IN_STEP: see z_sweep(); `steps` is then
/// the largest number of planes of a thread of this block.
template <class Known, int G, bool IN_STEP = false, class Decision, class Defer>
__device__ __forceinline__ void update_segment(const BlockPlanes& block, const Column& c, std::uint32_t z0,
                                               std::uint32_t z1, std::uint32_t parity, const HalfSweep& s,
                                               const HalfSweep& next, const Decision& decide,
                                               typename Decision::Drawn& drawn, const Defer& defer,
                                               std::uint32_t steps = 0) {
  if constexpr (IN_STEP) static_assert(Known::short_segment == 0 || Known::one_segment, "z_sweep() has one SEGMENT");
  if constexpr (Known::short_segment != 0) {
    if (IN_STEP ? steps == Known::short_segment : z1 == z0 + Known::short_segment) {
      z_sweep<G, Known::short_segment, true, IN_STEP>(block, c, z0, z1, parity, s, next, decide, drawn, defer);
      return;
    }
    if (!IN_STEP && z1 != z0 + Known::segment) return;  // the last block has no planes for these threads
  }
  if (IN_STEP || Known::segment != 0 || z0 < z1)
    z_sweep<G, Known::segment, true, IN_STEP>(block, c, z0, z1, parity, s, next, decide, drawn, defer, steps);
}

}  // namespace psflip::cuda
