#pragma once
#include <cstdint>

#include "engine/cuda/device/runtime.cuh"
#include "engine/cuda/update/pack_view.cuh"

namespace psflip::cuda {

/// Half sweeps of all packs of a system, one group of replicas.
struct PackJob {
  DeviceArray<std::uint32_t>& spins;
  DeviceArray<std::uint32_t>& scratch;  ///< for sweeps from one array to another; allocated when needed
  const std::uint32_t* couplings;
  Layout layout;
  std::uint32_t packs;
  Key key;
  std::uint32_t first_half_sweep, half_sweeps, first_replica;
  DeviceArray<std::uint32_t>&
      progress;  ///< for the kernel's own use, at least one word per pack; made larger when needed
  DeviceArray<std::uint64_t>& sublattice_packets;  ///< between tiles; made larger when needed
  DeviceArray<uint4>& row_block_packets;           ///< between strips; made larger when needed
  DeviceArray<uint4>& queue;                       ///< of undecided lanes; made larger when needed
};

/// Advances cubic lattices: in shared memory when a lattice fits (L <= 20 in one block, <= 34 in a cluster, 64 in a
/// quarter of the card), else plane by plane through shared memory (shared randoms) or in half sweeps through the
/// caches. True when the spins are in `scratch` afterwards, which depends on the job alone, not on the group.
/// Decision: SharedDecision<1 ... 4>, IndependentDecision<1 ... 4, 3> and, for 2 and 4, with 3 or 5 leading planes.
template <class Decision>
bool advance_cubic(const Decision& decide, const PackJob& job);

}  // namespace psflip::cuda
