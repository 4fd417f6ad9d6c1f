#pragma once
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/measure/count_kernels.cuh"
#include "engine/cuda/measure/sum_kernel.cuh"

namespace psflip::cuda {

/// Starts sum_kernel of integer X, of `width` replicas or pairs of the packs of a job, at most 65535.
template <class T, class X, class Job>
void start_sum(const Job& job, std::uint32_t width, int* counts, cudaStream_t stream) {
  const Traversal traversal = traversals_for<T::dimension>(job.rows, job.planes, job.packs).last();
  const dim3 grid(traversal.warp_traversals(), job.packs), block(32, width < 8 ? width : 8);
  sum_kernel<T, X, Job><<<grid, block, 0, stream>>>(job, traversal, width, counts);
  check(cudaGetLastError(), "measurement");
}

/// The same of an integer that has one, if there are replicas or pairs.
template <class T>
void launch_sum(const CountJob& job, Integer integer, std::uint32_t width, int* counts) {
  SumIntegers::for_each([&]<class X>() {
    if constexpr (has_sum_kernel(X::integer, T::has_field_words))
      if (X::integer == integer && width > 0) start_sum<T, X>(job, width, counts, nullptr);
  });
}

}  // namespace psflip::cuda
