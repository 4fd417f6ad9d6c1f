#pragma once
#include "engine/cuda/sweep/persistent/group_launch.cuh"
#include "engine/cuda/sweep/sublattice_blocks/kernel.cuh"

// Launches of the sublattice block kernels; included by cubic_launch.cuh.
namespace psflip::cuda {

inline constexpr std::uint32_t fewest_half_sweeps_of_sublattices = 12;  ///< fewer do not pay for load and store

/// Executes the job if its lattice has the size T::L and its blocks fit; else returns false.
template <class T, class Decision>
bool advance_sublattice_blocks(const Decision& decide, const PackJob& job) {
  constexpr int G = Decision::group;
  // all replica groups must leave the spins in the same array, so none may remain for another kernel
  if (job.layout.L != T::L || job.layout.replicas % G != 0 || job.half_sweeps < fewest_half_sweeps_of_sublattices)
    return false;
  if (T::bytes(G) > DeviceLimits().shared_bytes) return false;
  const GroupShape shape{T::blocks, T::threads, T::bytes(G), HaloOrder<T, G>::of_group};
  return launch_groups(shape, decide, job, job.halo_packets,
                       [](const auto& d) { return sublattice_kernel<T, std::decay_t<decltype(d)>>; });
}

/// The same for the one of several sizes that the job has.
template <class Decision, class... Sizes>
bool advance_sublattice_blocks(const Decision& decide, const PackJob& job, std::tuple<Sizes...>) {
  return (advance_sublattice_blocks<Sizes>(decide, job) || ...);
}

}  // namespace psflip::cuda
