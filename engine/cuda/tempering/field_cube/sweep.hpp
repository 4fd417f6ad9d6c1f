#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "engine/core/field_update.hpp"
#include "engine/core/philox.hpp"
#include "engine/cuda/tempering/field_cube/shape.hpp"

namespace psflip::cuda {

/// Half sweeps of the configurations of consecutive slots. Kernels that hold a configuration in shared memory then
/// count its energies and, if `counts_planes`, the -1 spins of its planes.
struct FieldCubeSweep {
  std::uint32_t* spins;  ///< of the first of these slots
  const std::uint32_t* fields;
  FieldCubeShape shape;
  std::uint32_t first_slot, slots;  ///< of the grid of temperatures
  std::uint32_t first_half_sweep, half_sweeps;
  int* counts;  ///< rows of the first of these slots
  bool counts_planes;
};

/// Whether the configurations of a lattice stay in shared memory during the sweeps. Else every half sweep is a launch.
template <class Scheme>
bool fits_in_shared_memory(std::uint32_t L);

/// Starts the job in a stream; returns whether it counts too. `thresholds` are those of all slots of the grid, which
/// must allow the scheme.
template <class Scheme>
[[nodiscard]] bool start_sweeps(const FieldCubeSweep& job, const Key& key, const FieldThresholds* thresholds,
                                std::size_t slots, cudaStream_t stream);

}  // namespace psflip::cuda
