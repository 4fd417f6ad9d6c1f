#pragma once
#include <cuda_runtime_api.h>

#include "engine/cuda/sweep/half_sweep/plane_segments.hpp"
#include "engine/cuda/update/pack_layout.hpp"
#include "engine/random/address.hpp"

/// Half sweeps of some planes of a slab in global memory.
namespace psflip::cuda {

/// One half sweep of all packs, one group of replicas.
struct SlabJob {
  std::uint32_t* spins;
  const std::uint32_t *couplings, *fields;
  Layout layout;  ///< sites: including the ghost planes
  Planes planes;
  PlaneSegments segments;
  std::uint32_t packs;
  Key key;
  std::uint32_t half_sweep, first_replica;
  cudaStream_t stream;
};

/// Starts the half sweep of a cubic lattice. Decision: SharedDecision<1 ... 4>, IndependentDecision<1 ... 4, 3> and,
/// for 2 and 4, with 3 or 5 leading planes.
template <class Decision>
void start_cubic_slab(const Decision& decide, const SlabJob& job);

}  // namespace psflip::cuda
