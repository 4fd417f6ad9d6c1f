#pragma once
#include <cstdint>

#include "engine/cuda/device/array.hpp"
#include "engine/cuda/device/halo_packet.hpp"
#include "engine/cuda/device/persisting_cache.hpp"
#include "engine/cuda/update/pack_layout.hpp"
#include "engine/cuda/update/snapshots.hpp"
#include "engine/random/address.hpp"

namespace psflip::cuda {

/// Half sweeps of all packs of a system, one group of replicas.
struct PackJob {
  DeviceArray<std::uint32_t>& spins;
  Snapshots snapshots;                  ///< of `spins`; more than one interval only with has_snapshots()
  DeviceArray<std::uint32_t>& scratch;  ///< for sweeps from one array to another; allocated when needed
  const std::uint32_t *couplings, *fields;
  Layout layout;
  std::uint32_t packs;
  Key key;
  std::uint32_t first_half_sweep, half_sweeps, first_replica;
  DeviceArray<std::uint32_t>& progress;   ///< counters of the kernel, at least one word per pack; enlarged when needed
  DeviceArray<HaloPacket>& halo_packets;  ///< between plane blocks or sublattice blocks; enlarged when needed
  DeviceArray<uint4>& row_packets;        ///< between row blocks; enlarged when needed
  DeviceArray<uint4>& queue;              ///< of undecided lanes; enlarged when needed
  PersistingCache& cache;                 ///< of spins in global memory; reserved when needed
};

/// Whether advance_cubic() and start_cubic_slab() update the model.
template <class T>
inline constexpr bool has_cubic_kernels = T::dimension == 3 && T::has_couplings && !T::has_field;

/// Advances cubic lattices: by the persistent kernel if a lattice fits in shared memory (L <= 20 in one thread block,
/// <= 32 in a cluster), else by temporal blocking (shared random numbers) or by one half sweep per launch. Groups of
/// four replicas with shared random numbers use plane blocks at L = 22 to 58 and 66, sublattice blocks at 60 to 64.
/// Returns true if the spins are in `scratch` afterwards, which depends on the job alone, not on the replica group.
/// Decision: SharedDecision<1 ... 4>, IndependentDecision<1 ... 4, 3> and, for 2 and 4, with 3 or 5 leading planes.
template <class Decision>
bool advance_cubic(const Decision& decide, const PackJob& job);

}  // namespace psflip::cuda
