#pragma once
#include "engine/cuda/sweep/cooperative_launch.cuh"
#include "engine/cuda/sweep/cubic.hpp"
#include "engine/cuda/sweep/persistent/persistent_kernel.cuh"
#include "engine/io/error.hpp"

// Launches of the persistent kernels; included by cubic_launch.cuh.
namespace psflip::cuda {

template <class Known, class Decision>
void launch_cubic(const Decision& decide, const PackJob& job, CubicShape shape) {
  shape.threads = block_threads<Decision>(shape.threads);
  const auto kernel = persistent_cubic_kernel<Known, Decision>;
  Launcher launcher(shape,
                    cubic_bytes(job.layout.L, shape.planes, Decision::group) + BarrierOfCube<Known, Decision>::bytes);
  const std::uint32_t clusters = std::min(job.packs, launcher.most_clusters(kernel, shape));
  if (clusters == 0)
    throw UserError(
        "the GPU or its partition cannot run all thread blocks of a lattice of this size together; use a larger one or "
        "--backend cpu.");
  const Schedule schedule{{job.packs, clusters, job.first_half_sweep, job.half_sweeps}, job.progress.data()};
  uint4* queue = nullptr;
  if constexpr (Decision::uses_queue) {
    const std::size_t entries = queue_entries<Decision::group>(shape), bytes = entries * sizeof(uint4),
                      warps = clusters * shape.blocks * shape.threads / 32;
    if (job.queue.size() < (warps + 1) * entries) job.queue = DeviceArray<uint4>((warps + 1) * entries);
    const auto memory = reinterpret_cast<std::uintptr_t>(job.queue.data());
    queue = reinterpret_cast<uint4*>((memory + bytes - 1) / bytes * bytes);
  }
  if (schedule.intervals > 1)
    check(cudaMemsetAsync(job.progress.data(), 0, job.packs * sizeof(std::uint32_t)), "schedule");
  launcher.config.gridDim = clusters * shape.blocks;
  check(cudaLaunchKernelEx(&launcher.config, kernel, job.spins.data(), job.couplings, job.layout, KeySchedule(job.key),
                           schedule, job.first_replica, shape, queue, decide),
        "sweeps in shared memory");
}

/// Launches the kernel specialized for this size; returns false if there is none. `shape_of`: the shape on this GPU
/// with at most so many threads.
template <class Decision, class ShapeOf, int... L>
bool launch_known(const Decision& decide, const PackJob& job, const ShapeOf& shape_of,
                  std::integer_sequence<int, L...>) {
  using Queued = std::decay_t<decltype(decide.queued())>;
  const auto go = [&]<class Known>() {
    if (job.layout.L != Known::L || shape_of(Known::most) != Known::shape) return false;
    with_known_decision<Known::L>(decide,
                                  [&](const auto& known) { launch_cubic<Known>(known.queued(), job, Known::shape); });
    return true;
  };
  return (go.template operator()<KnownCube<L, Decision::group, most_threads_of_known<Queued>(L)>>() || ...);
}

/// The shape of a lattice in shared memory on this GPU with at most so many threads.
inline CubicShape shape_on_gpu(const PackJob& job, const DeviceLimits& limits, std::uint32_t group,
                               std::uint32_t threads) {
  return cubic_shape(job.layout.L, group, limits.shared_bytes, limits.clusters ? most_blocks : 1, threads);
}

/// All groups of replicas of a job must leave the spins in the same array, and temporal blocking uses another one. With
/// 5 to 7 replicas the group of four therefore stays in shared memory only if it would also fit without a kernel of
/// known size, because the other group has none, nor plane blocks.
inline bool every_group_stays(const PackJob& job, const DeviceLimits& limits) {
  return job.layout.replicas <= 4 || job.layout.replicas % 4 == 0 ||
         shape_on_gpu(job, limits, 4, unknown_threads).blocks != 0;
}

/// Executes the job in shared memory; returns false if a lattice does not fit.
template <class Decision>
bool advance_persistent(const Decision& decide, const PackJob& job) {
  const DeviceLimits limits;
  if (!every_group_stays(job, limits)) return false;
  const auto shape = [&](std::uint32_t threads) { return shape_on_gpu(job, limits, Decision::group, threads); };
  if (launch_known(decide, job, shape, typename KnownSizes<Decision>::persistent{})) return true;
  if (shape(unknown_threads).blocks == 0) return false;
  launch_cubic<KnownCube<0, Decision::group>>(decide.queued(), job, shape(unknown_threads));
  return true;
}

}  // namespace psflip::cuda
