#pragma once
#include "engine/cuda/sweep/persistent/group_launch.cuh"
#include "engine/cuda/sweep/persistent/persistent_launch.cuh"
#include "engine/cuda/sweep/plane_blocks/kernel.cuh"

// Launches of the plane block kernels; included by cubic_launch.cuh.
namespace psflip::cuda {

/// Of lattices with L > 40, for which fewer do not pay for load and store; not measured for smaller ones.
inline constexpr std::uint32_t fewest_half_sweeps_of_plane_blocks = 12;

/// Executes the job if its lattice has the size T::L and the blocks of a pack fit on the GPU; else returns false.
template <class T, class Decision>
bool advance_plane_blocks(const Decision& decide, const PackJob& job) {
  static_assert(Decision::group == T::group);
  if (job.layout.L != T::L || (T::L > 40 && job.half_sweeps < fewest_half_sweeps_of_plane_blocks)) return false;
  const DeviceLimits limits;
  if (T::bytes > limits.shared_bytes || !every_group_stays(job, limits)) return false;
  const GroupShape shape{T::blocks, T::threads, T::bytes, T::blocks > 1 ? PlaneHalo<T>::of_group : 1};
  return launch_groups(shape, decide, job, job.halo_packets,
                       [](const auto& d) { return plane_block_kernel<T, std::decay_t<decltype(d)>>; });
}

/// The same for the one of several sizes that the job has.
template <class Decision, class... Sizes>
bool advance_plane_blocks(const Decision& decide, const PackJob& job, std::tuple<Sizes...>) {
  return (advance_plane_blocks<Sizes>(decide, job) || ...);
}

}  // namespace psflip::cuda
