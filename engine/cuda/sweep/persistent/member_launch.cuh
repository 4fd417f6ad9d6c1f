#pragma once
#include "engine/cuda/sweep/cooperative_launch.cuh"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/sweep/persistent/member_kernel.cuh"

namespace psflip::cuda {

/// Returns false if the GPU cannot place a cluster.
template <class T, bool CLUSTER, class Decision>
bool launch_member(const Decision& decide, const PackJob& job, std::uint32_t groups, const MemberShape& shape) {
  const std::uint32_t plane = (T::dimension == 3 ? job.layout.L : 1) * job.layout.L / 2, lattices = job.packs * groups;
  const std::size_t bytes =
      4 * (member_pack_words<T, Decision>(plane * shape.planes) + member_queue_words<T, Decision>(shape.threads));
  const auto kernel = member_kernel<T, Decision, CLUSTER>;
  const CubicShape cluster{shape.blocks, 0, 0, shape.threads};
  Launcher launcher(cluster, bytes);
  const std::uint32_t clusters = std::min(lattices, launcher.most_clusters(kernel, cluster));
  if (clusters == 0) return false;
  if (job.progress.size() < lattices) job.progress = DeviceArray<std::uint32_t>(lattices);
  const Schedule schedule{{lattices, clusters, job.first_half_sweep, job.half_sweeps}, job.progress.data()};
  if (schedule.intervals > 1)
    check(cudaMemsetAsync(job.progress.data(), 0, lattices * sizeof(std::uint32_t)), "schedule");
  launcher.config.gridDim = clusters * shape.blocks;
  check(cudaLaunchKernelEx(&launcher.config, kernel, job.spins.data(), job.couplings, job.fields, job.layout,
                           KeySchedule(job.key), schedule, job.packs, job.first_replica, shape, decide),
        "sweeps in shared memory");
  return true;
}

/// Updates lattices of any member of the family in shared memory; returns false if they do not fit, or if there are so
/// few that most multiprocessors would be idle. In a field all replicas have the same decision, and the call for the
/// first one updates them all.
template <class T, class Decision>
bool advance_member(const Decision& decide, const PackJob& job) {
  const DeviceLimits device;
  std::uint32_t groups = 1;
  if constexpr (decides_in_field<T, Decision>) groups = job.layout.replicas;
  using Queued = std::decay_t<decltype(decide.queued())>;
  const std::size_t bytes_of_site = 4 * SharedPack<T::dimension, Queued::group, T::has_couplings>::words(1);
  const std::size_t queues = 4 * member_queue_words<T, Queued>(member_block_threads);
  const MemberLimits limits{device.shared_bytes - queues - 16,
                            device.clusters && has_clusters<T, Queued> ? most_member_blocks : 1, member_block_threads,
                            job.packs * groups, static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount))};
  const MemberShape shape = member_shape(T::dimension, job.layout.L, bytes_of_site, limits);
  if (shape.blocks == 0) return false;
  // Measured with ea2d, four replicas, on an H100: 27 spins in a nanosecond with independent numbers, 110 with shared.
  const double flips = 32.0 * Queued::group * job.layout.sites;
  if (!is_faster_in_shared_memory(shape, flips, Queued::uses_queue ? 27 : 110, limits)) return false;
  if (decides_in_field<T, Decision> && job.first_replica != 0) return true;
  if constexpr (has_clusters<T, Queued>)
    if (shape.blocks > 1) return launch_member<T, true>(decide.queued(), job, groups, shape);
  return launch_member<T, false>(decide.queued(), job, groups, shape);
}

}  // namespace psflip::cuda
