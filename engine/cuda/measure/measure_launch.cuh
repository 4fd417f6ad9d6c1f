#pragma once
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/measure/measure_kernel.cuh"

namespace psflip::cuda {

template <class T>
bool is_measured_in_block(const MeasureJob& job) {
  return is_measured_in_block<T::dimension>(job, most_shared_bytes());
}

/// Starts measure_kernel for the packs of a job with is_measured_in_block().
template <class T>
void launch_measurement(const MeasureJob& job) {
  constexpr int D = T::dimension;
  const std::uint32_t warps = measure_warps(job);
  const Traversals<D> traversals = traversals_of_block<D>(job.count, warps);
  const std::size_t bytes = MeasureMemory<D>{job.count.rows.count(), job.sums_of_pack(), warps}.bytes();
  with_replicas_together(job.count.rows.replicas, [&]<int R>() {
    const auto kernel = with_shared_memory(measure_kernel<T, R>, bytes);
    kernel<<<dim3(job.count.packs, job.spins.intervals), dim3(32, warps), bytes>>>(job, traversals);
  });
  check(cudaGetLastError(), "measurement");
}

}  // namespace psflip::cuda
