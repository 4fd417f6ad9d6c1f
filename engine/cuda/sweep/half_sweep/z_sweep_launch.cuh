#pragma once
#include <algorithm>
#include <span>

#include "engine/cuda/device/early_launch.cuh"
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/device/streams.hpp"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/sweep/half_sweep/overlapping_launch.cuh"
#include "engine/cuda/sweep/half_sweep/slab_job.hpp"
#include "engine/cuda/sweep/half_sweep/z_sweep_kernel.cuh"

// Launch of half sweeps of full lattices.
namespace psflip::cuda {

/// Whether z_sweep_kernel<64> and overlapping_kernel<128> update lattices of these sizes.
template <class Decision>
inline constexpr bool has_own_z_sweeps = Decision::group == 4 && !std::is_same_v<Decision, SharedDecision<4>>;

/// Launches one half sweep of all packs in global memory. Where a size has no kernel of its own, a full lattice is
/// updated as the planes of a slab.
template <class Decision>
void launch_z_sweep(const Decision& decide, const PackJob& job, std::uint32_t* spins, std::uint32_t half_sweep,
                    cudaStream_t stream = nullptr) {
  const std::uint32_t L = job.layout.L;
  if constexpr (has_own_z_sweeps<Decision>) {
    const dim3 grid(blocks_for(L * L / 2, z_sweep_threads), (L + slab_segment - 1) / slab_segment, job.packs);
    if (L == 64)
      return with_known_planes(decide.queued(), [&]<class Queued>(const Queued& queued) {  // the warps are complete
        // half sweeps follow each other: the next starts while this one ends
        launch_early("half sweep", z_sweep_kernel<64, Queued>, grid, z_sweep_threads, 0, stream, After::anything, spins,
                     job.couplings, job.layout, KeySchedule(job.key), half_sweep, job.first_replica, queued);
      });
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

/// Division of the packs: the packs of a round are divided among some streams and do all half sweeps before those of
/// the next round.
struct PackRounds {
  std::uint32_t rounds, streams;

  /// Rounds of packs that stay in the L2 cache, which takes less power, hence a higher clock: 0.240 instead of 0.256
  /// ps/flip at L = 64. That needs six packs or more, or multiprocessors are idle (0.32 with three packs). Sizes
  /// without a kernel of their own are not bound by power.
  static PackRounds choose(const PackJob& job, bool has_own_kernel) {
    const std::size_t of_pack = sizeof(std::uint32_t) * (2 * job.layout.replicas + 6) * std::size_t{job.layout.sites},
                      cached = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize)) / 5 * 4 / of_pack;
    if (has_own_kernel && cached >= 6 && job.packs >= 2 * cached)
      return {static_cast<std::uint32_t>(job.packs / cached), 3};
    return {1, std::min(job.packs, 2u)};
  }
};

/// Calls launch(first pack, packs, half sweep, stream) for all half sweeps of the packs first ... end - 1, which the
/// streams share. In each stream half sweeps follow each other. So the multiprocessors that the last thread blocks of a
/// half sweep leave idle update packs of another stream.
template <class Launch>
void launch_round(const PackJob& job, std::uint32_t first, std::uint32_t end, std::span<const cudaStream_t> streams,
                  Launch launch) {
  const auto count = static_cast<std::uint32_t>(streams.size());
  for (std::uint32_t k = 0; k < job.half_sweeps; ++k)
    for (std::uint32_t s = 0; s < count; ++s) {
      const std::uint32_t begin = first + (end - first) * s / count, after = first + (end - first) * (s + 1) / count;
      launch(begin, after - begin, job.first_half_sweep + k, streams[s]);
    }
}

/// Launches all half sweeps of the job. A single pack is updated in the default stream, where half sweeps may start
/// early.
template <class Decision>
void launch_z_sweeps(const Decision& decide, const PackJob& job) {
  if constexpr (has_own_z_sweeps<Decision>)
    if (job.layout.L == 128)
      return with_known_planes(decide.queued(), [&](const auto& queued) { launch_overlapping<128>(queued, job); });
  const CudaStream own[3]{CudaStream(false, cudaStreamDefault), CudaStream(false, cudaStreamDefault),
                          CudaStream(false, cudaStreamDefault)};
  const PackRounds division = PackRounds::choose(job, has_own_z_sweeps<Decision> && job.layout.L == 64);
  cudaStream_t streams[3]{own[0], own[1], own[2]};
  if (division.streams == 1) streams[0] = nullptr;
  const auto launch = [&](std::uint32_t first, std::uint32_t packs, std::uint32_t half_sweep, cudaStream_t stream) {
    const PackView view = job.layout.view<3>(job.spins.data(), job.couplings, first, 0);
    PackJob some = job;
    some.packs = packs;
    some.layout.first_pack += first;
    some.couplings = view.first_coupling;
    launch_z_sweep(decide, some, view.first_spin, half_sweep, stream);
  };
  for (std::uint32_t r = 0; r < division.rounds; ++r)
    launch_round(job, job.packs * r / division.rounds, job.packs * (r + 1) / division.rounds,
                 {streams, division.streams}, launch);
}

}  // namespace psflip::cuda
