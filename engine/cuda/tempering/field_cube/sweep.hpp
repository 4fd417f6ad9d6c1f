#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "engine/core/field_update.hpp"
#include "engine/core/philox.hpp"
#include "engine/cuda/tempering/field_cube/sweep_job.hpp"

namespace psflip::cuda {

/// Whether the configurations of a lattice stay in shared memory during the sweeps: if one fits on a multiprocessor, or
/// two where the size has no kernel of its own. Else every half sweep is a launch.
template <class Scheme>
bool fits_in_shared_memory(std::uint32_t L);

/// Starts the job in a stream; returns whether it counts too. `thresholds` are those of all slots of the grid, which
/// must allow the scheme.
template <class Scheme>
[[nodiscard]] bool start_sweeps(const FieldCubeSweep& job, const Key& key, const FieldThresholds* thresholds,
                                std::size_t slots, cudaStream_t stream);

}  // namespace psflip::cuda
