#pragma once
#include <cstdint>
#include <vector>

#include "engine/core/field_update.hpp"
#include "engine/core/philox.hpp"
#include "engine/cuda/tempering_shape.hpp"

namespace psflip::cuda {

/// Half sweeps of all configurations.
struct SweepJob {
  std::uint32_t* spins;
  const std::uint32_t* fields;
  TemperingShape shape;
  std::uint32_t first_half_sweep, half_sweeps;
};

/// Starts the job. All thresholds must allow the scheme.
template <class Scheme>
void start_sweeps(const SweepJob& job, const Key& key, const std::vector<FieldThresholds>& thresholds);

}  // namespace psflip::cuda
