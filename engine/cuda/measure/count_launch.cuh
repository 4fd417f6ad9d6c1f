#pragma once
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/measure/count_kernels.cuh"

namespace psflip::cuda {

/// Starts count_kernel for the packs of a job, at most 65535, whose counts are zero.
template <class T, class Job>
void start_count(const Job& job, cudaStream_t stream) {
  const CountRows& rows = job.rows;
  const Traversals<T::dimension> traversals(rows.L, job.planes);
  const std::uint32_t most = rows.fields() > rows.replicas ? rows.fields() : rows.replicas, warps = most < 8 ? most : 8;
  const std::uint32_t planes =
      rows.fields() > 0 ? traversals.first.warp_traversals() + traversals.second.warp_traversals() : 0;
  const dim3 grid(traversals.last().warp_traversals() + planes, job.packs);
  count_kernel<T, Job><<<grid, dim3(32, warps), 0, stream>>>(job, traversals);
  check(cudaGetLastError(), "measurement");
}

template <class T>
void launch_count(const CountJob& job) {
  check(cudaMemsetAsync(job.counts, 0, std::size_t{job.packs} * job.rows.count() * 32 * sizeof(int)), "clear counts");
  start_count<T>(job, nullptr);
}

}  // namespace psflip::cuda
