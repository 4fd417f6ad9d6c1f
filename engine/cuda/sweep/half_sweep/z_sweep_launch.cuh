#pragma once
#include "engine/cuda/device/early_launch.cuh"
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/device/streams.hpp"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/sweep/half_sweep/slab_job.hpp"
#include "engine/cuda/sweep/half_sweep/z_sweep_kernel.cuh"

// Launch of half sweeps of full lattices.
namespace psflip::cuda {

/// Launches one half sweep of all packs in global memory. Where a size has no kernel of its own, a full lattice is
/// updated as the planes of a slab.
template <class Decision>
void launch_z_sweep(const Decision& decide, const PackJob& job, std::uint32_t* spins, std::uint32_t half_sweep,
                    cudaStream_t stream = nullptr) {
  const std::uint32_t L = job.layout.L;
  if constexpr (Decision::group == 4 && !std::is_same_v<Decision, SharedDecision<4>>) {
    const dim3 grid(blocks_for(L * L / 2, z_sweep_threads), (L + slab_segment - 1) / slab_segment, job.packs);
    const auto queued = decide.queued();  // the warps of these sizes are complete
    using Queued = std::decay_t<decltype(queued)>;
    const auto go = [&](auto kernel) {  // half sweeps follow each other: the next starts while this one ends
      launch_early("half sweep", kernel, grid, z_sweep_threads, 0, stream, After::anything, spins, job.couplings,
                   job.layout, KeySchedule(job.key), half_sweep, job.first_replica, queued);
    };
    if (L == 64) return go(z_sweep_kernel<64, Queued>);
    if (L == 128) return go(z_sweep_kernel<128, Queued>);
  }
  start_cubic_slab(decide, {spins,
                            job.couplings,
                            job.fields,
                            job.layout,
                            {0, L},
                            PlaneSegments::all(L, slab_segment),
                            job.packs,
                            job.key,
                            half_sweep,
                            job.first_replica,
                            stream});
}

/// Launches all half sweeps of the job. Two halves of the packs have a stream each, in which half sweeps follow each
/// other. So the multiprocessors that the last thread blocks of a half sweep leave idle update packs of the other half.
/// A single pack is updated in the default stream, where half sweeps may start early.
template <class Decision>
void launch_z_sweeps(const Decision& decide, const PackJob& job) {
  const CudaStream streams[2]{CudaStream(false, cudaStreamDefault), CudaStream(false, cudaStreamDefault)};
  const std::uint32_t half = job.packs / 2;
  const PackView second = job.layout.view<3>(job.spins.data(), job.couplings, half, 0);
  PackJob jobs[2]{job, job};
  jobs[0].packs = half;
  jobs[1].packs -= half;
  jobs[1].layout.first_pack += half;
  jobs[1].couplings = second.first_coupling;
  for (std::uint32_t h = job.first_half_sweep; h != job.first_half_sweep + job.half_sweeps; ++h) {
    if (half != 0) launch_z_sweep(decide, jobs[0], job.spins.data(), h, streams[0]);
    launch_z_sweep(decide, jobs[1], second.first_spin, h, half != 0 ? streams[1] : cudaStream_t{nullptr});
  }
}

}  // namespace psflip::cuda
