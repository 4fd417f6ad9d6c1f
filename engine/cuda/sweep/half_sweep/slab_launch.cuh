#pragma once
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/sweep/half_sweep/slab_job.hpp"
#include "engine/cuda/sweep/half_sweep/slab_z_sweep_kernel.cuh"

// Definition of start_cubic_slab; included by the files that instantiate it.
namespace psflip::cuda {

template <class Decision>
void start_cubic_slab(const Decision& decide, const SlabJob& job) {
  const std::uint32_t L = job.layout.L, plane = L * L / 2;
  const dim3 grid(blocks_for(plane, z_sweep_threads), job.segments.count, job.packs);
  const auto go = [&](auto kernel, const auto& decision) {
    kernel<<<grid, z_sweep_threads, 0, job.stream>>>(job.spins, job.couplings, job.layout, job.planes, job.segments,
                                                     KeySchedule(job.key), job.half_sweep, job.first_replica, decision);
    check(cudaGetLastError(), "half sweep");
  };
  if constexpr (std::is_same_v<Decision, SharedDecision<4>>) {  // the groups of large jobs
    if (L == 64) return go(slab_z_sweep_kernel<64, Decision>, decide);
    if (L == 128) return go(slab_z_sweep_kernel<128, Decision>, decide);
    if (L == 256) return go(slab_z_sweep_kernel<256, Decision>, decide);
  }
  const auto queued = decide.queued();
  go(slab_z_sweep_kernel<0, std::decay_t<decltype(queued)>>, queued);
}

}  // namespace psflip::cuda
