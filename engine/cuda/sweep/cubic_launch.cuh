#pragma once
#include "engine/cuda/sweep/half_sweep/z_sweep_launch.cuh"
#include "engine/cuda/sweep/persistent/persistent_launch.cuh"
#include "engine/cuda/sweep/plane_blocks/launch.cuh"
#include "engine/cuda/sweep/sublattice_blocks/launch.cuh"
#include "engine/cuda/sweep/temporal/temporal_launch.cuh"

// Definition of advance_cubic; included by the files that instantiate it.
namespace psflip::cuda {

template <class Decision>
bool advance_cubic(const Decision& decide, const PackJob& job) {
  if constexpr (std::is_same_v<Decision, SharedDecision<4>>)
    if (advance_plane_blocks(decide, job, typename KnownSizes<Decision>::plane_blocks{})) return false;
  if (advance_persistent(decide, job)) return false;
  if constexpr (std::is_same_v<Decision, SharedDecision<4>>)
    if (advance_sublattice_blocks(decide, job, typename KnownSizes<Decision>::sublattice_blocks{})) return false;
  if constexpr (std::is_same_v<Decision, SharedDecision<Decision::group>>) {
    const std::size_t limit = DeviceLimits().shared_bytes;
    const auto multiprocessors = static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount));
    const RowBlockShape row_blocks = choose_row_blocks(job.layout.L, limit, multiprocessors);
    if (row_blocks.blocks != 0) return advance_temporal(decide, job, row_blocks);
  }
  launch_z_sweeps(decide, job);
  return false;
}

}  // namespace psflip::cuda
