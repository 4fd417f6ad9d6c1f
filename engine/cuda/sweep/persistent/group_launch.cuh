#pragma once
#include <algorithm>
#include <cstddef>

#include "engine/cuda/sweep/cooperative_launch.cuh"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/sweep/persistent/group_schedule.cuh"

namespace psflip::cuda {

/// Thread blocks that hold one pack and exchange packets. There is one block on a multiprocessor.
struct GroupShape {
  std::uint32_t blocks, threads;
  std::size_t bytes;    ///< of shared memory, of a block
  std::size_t packets;  ///< of all blocks
};

/// Launches a kernel for as many groups as are co-resident, at low temperatures that of the decision for these.
/// kernel_of(decision): the kernel. Returns false if the GPU has fewer multiprocessors than a group has blocks.
template <class Packet, class Decision, class KernelOf>
bool launch_groups(const GroupShape& shape, const Decision& decide, const PackJob& job, DeviceArray<Packet>& packets,
                   const KernelOf& kernel_of) {
  const std::uint32_t most = static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount)) / shape.blocks,
                      groups = std::min(job.packs, most), counters = job.packs + groups;
  if (groups == 0) return false;
  if (job.progress.size() < counters) job.progress = DeviceArray<std::uint32_t>(counters);
  if (packets.size() < groups * shape.packets) packets = DeviceArray<Packet>(groups * shape.packets);
  check(cudaMemsetAsync(job.progress.data(), 0, counters * sizeof(std::uint32_t)), "schedule");
  check(cudaMemsetAsync(packets.data(), 0, groups * shape.packets * sizeof(Packet)), "halo packets");
  const GroupSchedule schedule{
      {job.packs, groups, job.first_half_sweep, job.half_sweeps}, job.progress.data(), job.progress.data() + job.packs};
  Launcher launcher({1, 0, 0, shape.threads}, shape.bytes);
  launcher.config.gridDim = groups * shape.blocks;
  const auto launch = [&](const auto& decision) {
    check(cudaLaunchKernelEx(&launcher.config, with_shared_memory(kernel_of(decision), shape.bytes), job.spins.data(),
                             job.couplings, job.layout, KeySchedule(job.key), schedule, packets.data(),
                             job.first_replica, decision),
          "sweeps in groups of thread blocks");
  };
  if (is_cold(decide.thresholds))
    launch(decide.cold());
  else
    launch(decide);
  return true;
}

}  // namespace psflip::cuda
