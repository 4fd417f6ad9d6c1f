#pragma once
#include "engine/cuda/sweep/cooperative_launch.cuh"
#include "engine/cuda/sweep/half_sweep/z_sweep_launch.cuh"
#include "engine/cuda/sweep/temporal/temporal_kernel.cuh"

// Launches of the temporal kernel; included by cubic_launch.cuh.
namespace psflip::cuda {

/// Passes of two sweeps of a job by temporal blocking.
struct TemporalPasses {
  const PackJob& job;
  RowBlockShape row_blocks;
  std::uint32_t half_sweep, count;  ///< the first one; passes

  /// Launches as many tasks at a time as are co-resident.
  template <class Known, int CHUNK, class Decision>
  void launch(const Decision& decide) const {
    constexpr int G = Decision::group;
    const std::uint32_t L = job.layout.L;
    const auto kernel = temporal_kernel<Known, CHUNK, Decision>;
    const CubicShape block{1, 0, 0, Known::L ? Known::threads : row_blocks.threads(L)};
    Launcher launcher(block, ring_bytes(L, row_blocks.rows, G));
    const std::uint32_t at_once = std::min(launcher.most_clusters(kernel, block) / row_blocks.blocks, job.packs);
    const std::size_t packets = std::size_t{at_once} * row_blocks.blocks * 2 * RowBlockHalo<G>::of_side;
    if (job.row_packets.size() < packets) job.row_packets = DeviceArray<uint4>(packets);
    check(cudaMemsetAsync(job.row_packets.data(), 0, packets * sizeof(uint4)), "halo packets");
    const std::uint32_t tasks = count * job.packs;
    std::uint32_t sequence = 1;  // not in any packet yet
    for (std::uint32_t first = 0; first < tasks; first += at_once, sequence += L + 2 * planes_beyond) {
      launcher.config.gridDim = std::min(at_once, tasks - first) * row_blocks.blocks;
      check(cudaLaunchKernelEx(&launcher.config, kernel, job.spins.data(), job.scratch.data(), job.couplings,
                               job.layout, KeySchedule(job.key), TemporalTasks{job.packs, first, half_sweep},
                               job.first_replica, row_blocks, HaloPackets{job.row_packets.data(), sequence}, decide),
            "sweeps in row blocks");
    }
  }
};

/// Launches the kernel specialized for size L; returns false if it is for another size or shape.
template <int L, class Decision>
bool launch_known_passes(const Decision& decide, const TemporalPasses& passes) {
  using Known = KnownRowBlocks<L, Decision::group>;
  if (passes.job.layout.L != L || passes.row_blocks != Known::shape) return false;
  with_known_decision<L>(decide, [&](const auto& known) { passes.launch<Known, Known::chunk>(known); });
  return true;
}

/// Launches all passes, with the kernel specialized for their size if there is one.
template <class Decision, int... L>
void launch_passes(const Decision& decide, const TemporalPasses& passes, std::integer_sequence<int, L...>) {
  constexpr int G = Decision::group;
  if ((launch_known_passes<L>(decide, passes) || ...)) return;
  if (passes.job.layout.L % 8 == 0) return passes.launch<KnownRowBlocks<0, G>, 4>(decide);
  passes.launch<KnownRowBlocks<0, G>, 2>(decide);
}

/// Passes of two sweeps, and single half sweeps before and after them.
template <int G>
bool advance_temporal(const SharedDecision<G>& decide, const PackJob& job, const RowBlockShape& row_blocks) {
  std::uint32_t h = job.first_half_sweep, left = job.half_sweeps;
  std::uint32_t* spins = job.spins.data();
  if ((h & 1u) && left > 0) {
    launch_z_sweep(decide, job, spins, h++);
    --left;
  }
  const std::uint32_t passes = left / 4;
  if (passes > 0) {
    if (job.scratch.size() == 0) job.scratch = DeviceArray<std::uint32_t>(job.spins.size());
    launch_passes(decide, TemporalPasses{job, row_blocks, h, passes},
                  typename KnownSizes<SharedDecision<G>>::temporal{});
    if (passes % 2 != 0) spins = job.scratch.data();
  }
  for (h += 4 * passes, left %= 4; left > 0; --left) launch_z_sweep(decide, job, spins, h++);
  return passes % 2 != 0;
}

}  // namespace psflip::cuda
