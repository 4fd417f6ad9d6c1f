#pragma once
#include <span>

#include "engine/cuda/sweep/persistent/known_member_kernel.cuh"
#include "engine/cuda/sweep/persistent/member_launch.cuh"

namespace psflip::cuda {

/// Whether the kernel takes less time for so many lattices than a launch for each half sweep.
template <class Shape>
bool is_known_member_faster(std::uint32_t lattices) {
  const MemberLimits limits{0, 0, 0, lattices, static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount))};
  const MemberShape shape{Shape::blocks, Shape::planes, Shape::segments, Shape::length, Shape::threads};
  return is_faster_in_shared_memory(shape, 32.0 * Shape::blocks * Shape::sites, 27, limits);
}

/// Calls f.template operator()<Shape>() for the distribution of size L, if there is one, and returns its result.
template <class F, class... Shapes>
bool with_known_member(std::uint32_t L, KnownMembers<Shapes...>, F f) {
  return ((L == Shapes::L && f.template operator()<Shapes>()) || ...);
}

/// Launch of known_member_kernel.
template <class Shape, class Lattices>
struct KnownMemberLauncher : Launcher {
  static constexpr CubicShape cluster{Shape::blocks, 0, 0, Shape::threads};
  static constexpr std::size_t bytes = known_member_bytes<Shape, typename Lattices::Decision>;
  static auto kernel() { return known_member_kernel<Shape, Lattices>; }
  std::uint32_t clusters = 0;  ///< at the same time; 0: the GPU cannot place one

  KnownMemberLauncher() : Launcher(cluster, bytes) {
    if (bytes <= most_shared_bytes()) clusters = most_clusters(kernel(), cluster);
  }
};

/// Returns false if the GPU cannot place a cluster.
template <class Shape, class Decision>
bool launch_known_member(const Decision& decide, const PackJob& job) {
  KnownMemberLauncher<Shape, ReplicasOfPacks<Decision>> launcher;
  const std::uint32_t lattices = job.packs * job.layout.replicas, clusters = std::min(lattices, launcher.clusters);
  if (clusters == 0) return false;
  launcher.config.gridDim = clusters * Shape::blocks;
  const ReplicasOfPacks<Decision> replicas{job.spins.data(), job.fields, job.layout, job.packs, decide};
  check(cudaLaunchKernelEx(&launcher.config, launcher.kernel(), replicas, KeySchedule(job.key),
                           schedule_of(job, lattices, clusters)),
        "sweeps of lattices of a known size");
  return true;
}

/// Updates all replicas of lattices without couplings in shared memory; returns false if there is no kernel for the
/// size, if the GPU cannot run it, or if half sweeps in global memory take less time.
template <class T>
bool advance_known_member(const Metropolis& m, const PackJob& job) {
  if constexpr (T::has_couplings) {
    return false;
  } else {
    if (!DeviceLimits().clusters || attribute(cudaDevAttrCooperativeLaunch) == 0) return false;
    return with_known_member(job.layout.L, typename CommonMembers<T::dimension>::OneTemperature{}, [&]<class Shape>() {
      if (!is_known_member_faster<Shape>(job.packs * job.layout.replicas)) return false;
      bool done = false;
      with_scheme<T>(cheapest_scheme<T::dimension>(std::span(&m.field, 1)), [&]<class Scheme>() {
        done = launch_known_member<Shape>(ReplicaDecision<T, Scheme>(m.field), job);
      });
      return done;
    });
  }
}

}  // namespace psflip::cuda
