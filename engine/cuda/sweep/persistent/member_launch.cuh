#pragma once
#include "engine/cuda/sweep/cooperative_launch.cuh"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/sweep/persistent/member_kernel.cuh"

namespace psflip::cuda {

template <class T, bool CLUSTER, class Decision>
void launch_member(const Decision& decide, const PackJob& job, std::uint32_t groups, const MemberShape& shape) {
  const std::uint32_t plane = (T::dimension == 3 ? job.layout.L : 1) * job.layout.L / 2;
  const std::size_t bytes =
      4 * (member_pack_words<T, Decision>(plane * shape.planes) + member_queue_words<T, Decision>(shape.threads));
  const auto kernel = with_shared_memory(member_kernel<T, Decision, CLUSTER>, bytes);
  cudaLaunchAttribute cluster[1] = {};
  cluster[0].id = cudaLaunchAttributeClusterDimension;
  cluster[0].val.clusterDim = {shape.blocks, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(job.packs * shape.blocks, groups);
  config.blockDim = shape.threads;
  config.dynamicSmemBytes = bytes;
  config.attrs = cluster;
  config.numAttrs = CLUSTER ? 1 : 0;
  check(
      cudaLaunchKernelEx(&config, kernel, job.spins.data(), job.couplings, job.fields, job.layout, KeySchedule(job.key),
                         job.first_half_sweep, job.half_sweeps, job.first_replica, shape, decide),
      "sweeps in shared memory");
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
    if (shape.blocks > 1) {
      launch_member<T, true>(decide.queued(), job, groups, shape);
      return true;
    }
  launch_member<T, false>(decide.queued(), job, groups, shape);
  return true;
}

}  // namespace psflip::cuda
