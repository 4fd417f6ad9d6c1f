#pragma once
#include "engine/cuda/sweep/cooperative_launch.cuh"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/sweep/persistent/member_kernel.cuh"

namespace psflip::cuda {

/// Launch of a member kernel: its clusters are co-resident.
template <class T, bool CLUSTER, class Decision>
struct MemberLauncher : Launcher {
  static auto kernel() { return member_kernel<T, Decision, CLUSTER>; }
  std::uint32_t clusters;  ///< at the same time; 0: the GPU cannot place one

  MemberLauncher(const MemberShape& shape, std::uint32_t L)
      : Launcher({shape.blocks, 0, 0, shape.threads}, bytes(shape, L)),
        clusters(most_clusters(kernel(), {shape.blocks, 0, 0, shape.threads})) {}

 private:
  static std::size_t bytes(const MemberShape& shape, std::uint32_t L) {
    const std::uint32_t plane = (T::dimension == 3 ? L : 1) * L / 2;
    return 4 * (member_pack_words<T, Decision>(plane * shape.planes) + member_queue_words<Decision>(shape));
  }
};

/// The schedule of a launch in which so many clusters take the lattices in turn.
inline Schedule schedule_of(const PackJob& job, std::uint32_t lattices, std::uint32_t clusters) {
  if (job.progress.size() < lattices) job.progress = DeviceArray<std::uint32_t>(lattices);
  const Schedule schedule{{lattices, clusters, job.first_half_sweep, job.half_sweeps}, job.progress.data()};
  if (schedule.intervals > 1)
    check(cudaMemsetAsync(job.progress.data(), 0, lattices * sizeof(std::uint32_t)), "schedule");
  return schedule;
}

template <class T, bool CLUSTER, class Decision>
void launch_member(const Decision& decide, const PackJob& job, std::uint32_t groups, const MemberShape& shape) {
  const std::uint32_t lattices = job.packs * groups;
  MemberLauncher<T, CLUSTER, Decision> launcher(shape, job.layout.L);
  const std::uint32_t clusters = std::min(lattices, launcher.clusters);
  const Schedule schedule = schedule_of(job, lattices, clusters);
  launcher.config.gridDim = clusters * shape.blocks;
  check(cudaLaunchKernelEx(&launcher.config, launcher.kernel(), job.spins.data(), job.couplings, job.fields, job.layout,
                           KeySchedule(job.key), schedule, job.packs, job.first_replica, shape, decide),
        "sweeps in shared memory");
}

/// Distribution of a lattice, without clusters if the GPU cannot place one.
template <class T, class Queued>
MemberShape shape_on_gpu(std::uint32_t L, MemberLimits limits) {
  const std::size_t bytes_of_site = 4 * SharedPack<T::dimension, Queued::group, T::has_couplings>::words(1);
  const MemberShape shape = member_shape(T::dimension, L, bytes_of_site, limits);
  if constexpr (has_clusters<T, Queued>)
    if (shape.blocks > 1 && MemberLauncher<T, true, Queued>(shape, L).clusters == 0) {
      limits.blocks = 1;
      return member_shape(T::dimension, L, bytes_of_site, limits);
    }
  return shape;
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
  if (attribute(cudaDevAttrCooperativeLaunch) == 0) return false;
  const MemberLimits limits{
      device.shared_bytes - 4 * MemberQueue<Queued>::words(member_block_threads, member_queue_places) - 16,
      device.clusters && has_clusters<T, Queued> ? most_member_blocks : 1, member_block_threads, job.packs * groups,
      static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount))};
  const MemberShape shape = shape_on_gpu<T, Queued>(job.layout.L, limits);
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
