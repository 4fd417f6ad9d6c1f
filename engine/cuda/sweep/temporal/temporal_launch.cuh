#pragma once
#include "engine/cuda/sweep/cooperative_launch.cuh"
#include "engine/cuda/sweep/half_sweep/z_sweep_launch.cuh"
#include "engine/cuda/sweep/temporal/temporal_kernel.cuh"

// Launches of the temporal kernel; included by cubic_launch.cuh.
namespace psflip::cuda {

/// Two sweeps of a job by temporal blocking.
struct TemporalPass {
  const PackJob& job;
  RowBlockShape row_blocks;
  std::uint32_t *out, *in, half_sweep;
  std::uint32_t& sequence;  ///< not used by any packet of this job; advanced by a launch

  /// Launches as many packs at a time as are co-resident.
  template <class Known, int CHUNK, class Decision>
  void launch(const Decision& decide) const {
    constexpr int G = Decision::group;
    const std::uint32_t L = job.layout.L;
    const auto kernel = temporal_kernel<Known, CHUNK, Decision>;
    const CubicShape block{1, 0, 0, Known::L ? Known::threads : row_blocks.threads(L)};
    Launcher launcher(block, ring_bytes(L, row_blocks.rows, G));
    const std::uint32_t at_once = std::min(launcher.most_clusters(kernel, block) / row_blocks.blocks, job.packs);
    const std::size_t packets = std::size_t{at_once} * row_blocks.blocks * 2 * RowBlockHalo<G>::of_side;
    if (job.row_block_packets.size() < packets) {
      job.row_block_packets = DeviceArray<uint4>(packets);
      check(cudaMemsetAsync(job.row_block_packets.data(), 0, packets * sizeof(uint4)), "halo packets");
    }
    for (std::uint32_t first = 0; first < job.packs; first += at_once, sequence += L + 2 * planes_beyond) {
      launcher.config.gridDim = std::min(at_once, job.packs - first) * row_blocks.blocks;
      check(cudaLaunchKernelEx(&launcher.config, kernel, out, in, job.couplings, job.layout, KeySchedule(job.key),
                               half_sweep, job.first_replica, first, row_blocks,
                               HaloPackets{job.row_block_packets.data(), sequence}, decide),
            "sweeps in row blocks");
    }
  }
};

/// Launches two sweeps, with the kernel specialized for their size if there is one.
template <class Decision, int... L>
void launch_pass(const Decision& decide, const TemporalPass& pass, std::integer_sequence<int, L...>) {
  constexpr int G = Decision::group;
  const std::uint32_t size = pass.job.layout.L;
  if (((size == L && pass.row_blocks == KnownRowBlocks<L, G>::shape &&
        (pass.launch<KnownRowBlocks<L, G>, KnownRowBlocks<L, G>::chunk>(decide), true)) ||
       ...))
    return;
  if (size % 8 == 0) return pass.launch<KnownRowBlocks<0, G>, 4>(decide);
  pass.launch<KnownRowBlocks<0, G>, 2>(decide);
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
  const bool swapped = left / 4 % 2 != 0;
  if (left >= 4 && job.scratch.size() == 0) job.scratch = DeviceArray<std::uint32_t>(job.spins.size());
  if (left >= 4 && job.row_block_packets.size() > 0)  // sequence numbers start again
    check(cudaMemsetAsync(job.row_block_packets.data(), 0, job.row_block_packets.size() * sizeof(uint4)),
          "halo packets");
  std::uint32_t *other = job.scratch.data(), sequence = 1;
  for (; left >= 4; left -= 4, h += 4) {
    launch_pass(decide, TemporalPass{job, row_blocks, other, spins, h, sequence},
                typename KnownSizes<SharedDecision<G>>::temporal{});
    std::swap(spins, other);
  }
  for (; left > 0; --left) launch_z_sweep(decide, job, spins, h++);
  return swapped;
}

}  // namespace psflip::cuda
