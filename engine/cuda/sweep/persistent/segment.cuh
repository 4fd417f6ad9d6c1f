#pragma once
#include "engine/cuda/update/z_sweep.cuh"

namespace psflip::cuda {

/// The z-sweep of this thread, with a length known at compile time if possible.
template <class Known, int G, class Decision, class Defer>
__device__ __forceinline__ void update_segment(const BlockPlanes& block, const Column& c, std::uint32_t z0,
                                               std::uint32_t z1, std::uint32_t parity, const HalfSweep& s,
                                               const HalfSweep& next, const Decision& decide,
                                               typename Decision::Drawn& drawn, const Defer& defer) {
  if constexpr (Known::short_segment != 0) {
    if (z1 == z0 + Known::short_segment) {
      z_sweep<G, Known::short_segment, true>(block, c, z0, z1, parity, s, next, decide, drawn, defer);
      return;
    }
    if (z1 != z0 + Known::segment) return;  // the last block has no planes for these threads
  }
  if (Known::segment != 0 || z0 < z1)
    z_sweep<G, Known::segment, true>(block, c, z0, z1, parity, s, next, decide, drawn, defer);
}

}  // namespace psflip::cuda
