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

/// Calls f(decision, launcher) for lattices without couplings; returns false if there is no kernel for the size, or if
/// the GPU cannot run it. Columns are long unless the GPU can place more than 8/7 times as many clusters as there are
/// lattices.
template <class T, class F>
bool with_known_member_launcher(const Metropolis& m, std::uint32_t L, std::uint32_t lattices, F f) {
  if constexpr (T::has_couplings) {
    return false;
  } else {
    if (!DeviceLimits().clusters || attribute(cudaDevAttrCooperativeLaunch) == 0) return false;
    using Common = CommonMembers<T::dimension>;
    const auto with = [&]<class Shapes, bool MANY>(Shapes shapes, std::bool_constant<MANY>) {
      return with_known_member(L, shapes, [&]<class Shape>() {
        bool found = false;
        with_scheme<T>(cheapest_scheme<T::dimension>(std::span(&m.field, 1)), [&]<class Scheme>() {
          using Decision = ReplicaDecision<T, Scheme>;
          KnownMemberLauncher<Shape, ReplicasOfPacks<Decision>> launcher;
          found = launcher.clusters != 0 && (!MANY || 8 * lattices >= 7 * launcher.clusters);
          if (found) f(Decision(m.field), launcher);
        });
        return found;
      });
    };
    return with(typename Common::Many{}, std::true_type{}) || with(typename Common::Few{}, std::false_type{});
  }
}

/// Updates all replicas of lattices without couplings in shared memory; returns false if no kernel can.
template <class T>
bool advance_known_member(const Metropolis& m, const PackJob& job) {
  const std::uint32_t lattices = job.packs * job.layout.replicas;
  return with_known_member_launcher<T>(
      m, job.layout.L, lattices, [&]<class Decision>(const Decision& decide, auto& launcher) {
        const std::uint32_t clusters = std::min(lattices, launcher.clusters);
        launcher.config.gridDim = clusters * launcher.config.gridDim.x;
        const ReplicasOfPacks<Decision> replicas{job.snapshots, job.fields, job.layout, job.packs, decide};
        check(cudaLaunchKernelEx(&launcher.config, launcher.kernel(), replicas, KeySchedule(job.key),
                                 schedule_of(job, lattices, clusters)),
              "sweeps of lattices of a known size");
      });
}

/// Whether advance_known_member() updates all lattices at the same time.
template <class T>
bool is_one_known_member_each(const Metropolis& m, std::uint32_t L, std::uint32_t lattices) {
  bool each = false;
  with_known_member_launcher<T>(m, L, lattices,
                                [&](const auto&, const auto& launcher) { each = lattices <= launcher.clusters; });
  return each;
}

}  // namespace psflip::cuda
