#pragma once
#include <span>
#include <type_traits>

#include "engine/cuda/sweep/persistent/known_member_kernel.cuh"
#include "engine/cuda/sweep/persistent/member_launch.cuh"

namespace psflip::cuda {

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

/// Returns false if the GPU cannot place a cluster, or if it can place more than 8/7 times as many clusters as there
/// are replicas and MANY is true.
template <class Shape, bool MANY, class Decision>
bool launch_known_member(const Decision& decide, const PackJob& job) {
  KnownMemberLauncher<Shape, ReplicasOfPacks<Decision>> launcher;
  const std::uint32_t lattices = job.packs * job.layout.replicas, clusters = std::min(lattices, launcher.clusters);
  if (clusters == 0 || (MANY && 8 * lattices < 7 * launcher.clusters)) return false;
  launcher.config.gridDim = clusters * Shape::blocks;
  const ReplicasOfPacks<Decision> replicas{job.spins.data(), job.fields, job.layout, job.packs, decide};
  check(cudaLaunchKernelEx(&launcher.config, launcher.kernel(), replicas, KeySchedule(job.key),
                           schedule_of(job, lattices, clusters)),
        "sweeps of lattices of a known size");
  return true;
}

/// Updates all replicas of lattices without couplings in shared memory; returns false if there is no kernel for the
/// size, or if the GPU cannot run it.
template <class T>
bool advance_known_member(const Metropolis& m, const PackJob& job) {
  if constexpr (T::has_couplings) {
    return false;
  } else {
    if (!DeviceLimits().clusters || attribute(cudaDevAttrCooperativeLaunch) == 0) return false;
    using Common = CommonMembers<T::dimension>;
    const auto launch = [&]<class Shapes, bool MANY>(Shapes shapes, std::bool_constant<MANY>) {
      return with_known_member(job.layout.L, shapes, [&]<class Shape>() {
        bool done = false;
        with_scheme<T>(cheapest_scheme<T::dimension>(std::span(&m.field, 1)), [&]<class Scheme>() {
          done = launch_known_member<Shape, MANY>(ReplicaDecision<T, Scheme>(m.field), job);
        });
        return done;
      });
    };
    return launch(typename Common::Many{}, std::true_type{}) || launch(typename Common::Few{}, std::false_type{});
  }
}

}  // namespace psflip::cuda
