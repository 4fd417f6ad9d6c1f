#pragma once
#include <cstdint>

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

}  // namespace psflip::cuda
