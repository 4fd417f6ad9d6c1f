#pragma once
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/sweep/half_sweep/z_sweep_kernel.cuh"

// Launch of z_sweep_kernel.
namespace psflip::cuda {

/// Launches one half sweep of all packs in global memory.
template <class Decision>
void launch_z_sweep(const Decision& decide, const PackJob& job, std::uint32_t* spins, std::uint32_t half_sweep) {
  const std::uint32_t L = job.layout.L;
  const dim3 grid(blocks_for(L * L / 2, z_sweep_threads), (L + z_segment - 1) / z_segment, job.packs);
  const auto go = [&](auto kernel, const auto& decision) {
    kernel<<<grid, z_sweep_threads>>>(spins, job.couplings, job.layout, KeySchedule(job.key), half_sweep,
                                      job.first_replica, decision);
    check(cudaGetLastError(), "half sweep");
  };
  if constexpr (Decision::group == 4) {
    const auto queued = decide.queued();  // the warps of these sizes are complete
    using Queued = std::decay_t<decltype(queued)>;
    if (L == 64) return go(z_sweep_kernel<64, Queued>, queued);
    if (L == 128) return go(z_sweep_kernel<128, Queued>, queued);
  }
  go(z_sweep_kernel<0, Decision>, decide);
}

}  // namespace psflip::cuda
