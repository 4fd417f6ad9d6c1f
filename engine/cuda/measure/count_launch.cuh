#pragma once
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/measure/count_kernels.cuh"

namespace psflip::cuda {

template <class T>
void launch_count(const CountJob& job) {
  const CountRows& rows = job.rows;
  const Traversals<T::dimension> traversals(rows.L, job.planes);
  const std::uint32_t most = rows.fields() > rows.replicas ? rows.fields() : rows.replicas, warps = most < 8 ? most : 8;
  const std::uint32_t planes =
      rows.fields() > 0 ? traversals.first.warp_traversals() + traversals.second.warp_traversals() : 0;
  check(cudaMemsetAsync(job.counts, 0, std::size_t{job.packs} * rows.count() * 32 * sizeof(int)), "clear counts");
  count_kernel<T><<<dim3(traversals.last().warp_traversals() + planes, job.packs), dim3(32, warps)>>>(job, traversals);
  check(cudaGetLastError(), "measurement");
}

}  // namespace psflip::cuda
