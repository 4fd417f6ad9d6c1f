#pragma once
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/measure/count_kernels.cuh"

namespace psflip::cuda {

/// Starts count_kernel for the packs of a job, at most 65535, whose counts are zero.
template <class T, class Job>
void start_count(const Job& job, cudaStream_t stream) {
  const auto traversals = traversals_for<T::dimension>(job.rows, job.planes, job.packs);
  const dim3 grid(blocks_for(CountItems(job.rows, traversals).count(), count_warps), job.packs), block(32, count_warps);
  with_replicas_together(job.rows.replicas,
                         [&]<int R>() { count_kernel<T, R, Job><<<grid, block, 0, stream>>>(job, traversals); });
  check(cudaGetLastError(), "measurement");
}

template <class T>
void launch_count(const CountJob& job) {
  check(cudaMemsetAsync(job.counts, 0, std::size_t{job.packs} * job.rows.count() * 32 * sizeof(int)), "clear counts");
  start_count<T>(job, nullptr);
}

}  // namespace psflip::cuda
