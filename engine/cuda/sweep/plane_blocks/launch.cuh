#pragma once
#include "engine/cuda/sweep/cooperative_launch.cuh"
#include "engine/cuda/sweep/persistent/persistent_launch.cuh"
#include "engine/cuda/sweep/plane_blocks/kernel.cuh"

// Launches of the plane block kernels; included by cubic_launch.cuh.
namespace psflip::cuda {

/// Of lattices with L > 40, for which fewer do not pay for load and store; not measured for smaller ones.
inline constexpr std::uint32_t fewest_half_sweeps_of_plane_blocks = 12;

/// Launches the kernel for `groups` groups of thread blocks, which are all co-resident.
template <class T, class Decision>
void launch_plane_blocks(const Decision& decide, const PackJob& job, std::uint32_t groups) {
  const auto kernel = with_shared_memory(plane_block_kernel<T, Decision>, T::bytes);
  const std::uint32_t counters = job.packs + groups;
  if (job.progress.size() < counters) job.progress = DeviceArray<std::uint32_t>(counters);
  const std::size_t packets = T::blocks > 1 ? std::size_t{groups} * PlaneHalo<T>::of_group : 1;
  if (job.halo_packets.size() < packets) job.halo_packets = DeviceArray<uint4>(packets);
  check(cudaMemsetAsync(job.progress.data(), 0, counters * sizeof(std::uint32_t)), "schedule");
  check(cudaMemsetAsync(job.halo_packets.data(), 0, packets * sizeof(uint4)), "halo packets");
  const GroupSchedule schedule{
      {job.packs, groups, job.first_half_sweep, job.half_sweeps}, job.progress.data(), job.progress.data() + job.packs};
  Launcher launcher({1, 0, 0, T::threads}, T::bytes);
  launcher.config.gridDim = groups * T::blocks;
  check(cudaLaunchKernelEx(&launcher.config, kernel, job.spins.data(), job.couplings, job.layout, KeySchedule(job.key),
                           schedule, job.halo_packets.data(), job.first_replica, decide),
        "sweeps in plane blocks");
}

/// Executes the job if its lattice has the size T::L and the blocks of a pack fit on the GPU; else returns false.
template <class T, class Decision>
bool advance_plane_blocks(const Decision& decide, const PackJob& job) {
  static_assert(Decision::group == T::group);
  if (job.layout.L != T::L || (T::L > 40 && job.half_sweeps < fewest_half_sweeps_of_plane_blocks)) return false;
  const DeviceLimits limits;
  if (T::bytes > limits.shared_bytes || !every_group_stays(job, limits)) return false;
  const std::uint32_t most = static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount)) / T::blocks,
                      groups = std::min(job.packs, most);
  if (groups == 0) return false;
  if (is_cold(decide.thresholds))
    launch_plane_blocks<T>(decide.cold(), job, groups);
  else
    launch_plane_blocks<T>(decide, job, groups);
  return true;
}

/// The same for the one of several sizes that the job has.
template <class Decision, class... Sizes>
bool advance_plane_blocks(const Decision& decide, const PackJob& job, std::tuple<Sizes...>) {
  return (advance_plane_blocks<Sizes>(decide, job) || ...);
}

}  // namespace psflip::cuda
