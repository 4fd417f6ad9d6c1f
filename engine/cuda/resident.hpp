#pragma once
#include <cstdint>

#include "engine/cuda/device.cuh"
#include "engine/cuda/pack_view.cuh"

namespace psflip::cuda {

/// Half sweeps of all packs of a system, one group of replicas.
struct PackJob {
  std::uint32_t* spins;
  const std::uint32_t* couplings;
  Layout layout;
  std::uint32_t packs;
  Key key;
  std::uint32_t first_half_sweep, half_sweeps, first_replica;
  std::uint32_t* done;        ///< one word per pack, for the kernel's own use
  DeviceArray<uint4>& queue;  ///< of undecided lanes; made larger when needed
};

/// Does the job in shared memory when the lattice fits (L <= 20 in one block, <= 32 in a cluster); false otherwise.
/// Decision: SharedDecision<1 ... 4> or IndependentDecision<1 ... 4, 3> and, for 4, with 3 or 5 leading planes.
template <class Decision>
bool advance_resident(const Decision& decide, const PackJob& job);

}  // namespace psflip::cuda
