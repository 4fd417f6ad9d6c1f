#pragma once
#include <cuda_runtime_api.h>

#include "engine/cuda/sweep/half_sweep/slab_sweeps.hpp"
#include "engine/cuda/update/pack_layout.hpp"
#include "engine/random/address.hpp"

/// Half sweeps of some planes of a slab in global memory.
namespace psflip::cuda {

template <int G, int D, bool COLD>
struct SharedDecision;

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

/// Starts many half sweeps of all planes of a slab instead of job.half_sweep, with one random number for all samples.
/// The GPUs of the neighbours start the same half sweeps.
template <int G>
void start_slab_sweeps(const SharedDecision<G, 3, false>& decide, const SlabJob& job, const SlabSweeps& sweeps,
                       const SlabNeighbours& neighbours);

}  // namespace psflip::cuda
