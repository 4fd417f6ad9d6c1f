#pragma once
#include <stdexcept>

#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/sweep/half_sweep/slab_job.hpp"
#include "engine/cuda/sweep/half_sweep/slab_sweeps_kernel.cuh"

// Definition of start_slab_sweeps; included by the file that instantiates it.
namespace psflip::cuda {

template <int G>
void start_slab_sweeps(const SharedDecision<G, 3>& decide, const SlabJob& job, const SlabSweeps& sweeps,
                       const SlabNeighbours& neighbours) {
  const std::uint64_t blocks = std::uint64_t{sweeps.count} * sweeps.tiles();
  if (blocks >= std::uint64_t{1} << 31) throw std::logic_error("more tiles than a launch has thread blocks");
  check(cudaMemsetAsync(sweeps.taken, 0, sizeof(std::uint32_t), job.stream), "half sweeps");
  const auto go = [&](auto kernel) {
    kernel<<<static_cast<unsigned>(blocks), z_sweep_threads, sizeof(uint4), job.stream>>>(
        job.spins, job.couplings, job.layout, job.planes, job.segments, KeySchedule(job.key), sweeps, neighbours,
        job.first_replica, decide);
    check(cudaGetLastError(), "half sweeps");
  };
  if constexpr (G == 4) {  // the groups of large jobs
    if (job.layout.L == 64) return go(slab_sweeps_kernel<64, SharedDecision<G>>);
    if (job.layout.L == 128) return go(slab_sweeps_kernel<128, SharedDecision<G>>);
    if (job.layout.L == 256) return go(slab_sweeps_kernel<256, SharedDecision<G>>);
  }
  go(slab_sweeps_kernel<0, SharedDecision<G>>);
}

}  // namespace psflip::cuda
