#pragma once
#include "engine/cuda/device/early_launch.cuh"
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/sweep/half_sweep/slab_job.hpp"
#include "engine/cuda/sweep/half_sweep/z_sweep_kernel.cuh"

// Launch of a half sweep of full lattices.
namespace psflip::cuda {

/// Launches one half sweep of all packs in global memory. Where a size has no kernel of its own, a full lattice is
/// updated as the planes of a slab.
template <class Decision>
void launch_z_sweep(const Decision& decide, const PackJob& job, std::uint32_t* spins, std::uint32_t half_sweep) {
  const std::uint32_t L = job.layout.L;
  if constexpr (Decision::group == 4 && !std::is_same_v<Decision, SharedDecision<4>>) {
    const dim3 grid(blocks_for(L * L / 2, z_sweep_threads), (L + slab_segment - 1) / slab_segment, job.packs);
    const auto queued = decide.queued();  // the warps of these sizes are complete
    using Queued = std::decay_t<decltype(queued)>;
    const auto go = [&](auto kernel) {  // half sweeps follow each other: the next starts while this one ends
      launch_early("half sweep", kernel, grid, z_sweep_threads, 0, nullptr, After::anything, spins, job.couplings,
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
                            nullptr});
}

}  // namespace psflip::cuda
