#pragma once
#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/measure/sum_kernel.cuh"

namespace psflip::cuda {

/// Starts sum_kernel of an integer that has one, of `width` replicas or pairs.
template <class T>
void launch_sum(const CountJob& job, Integer integer, std::uint32_t width, int* counts) {
  SumIntegers::for_each([&]<class X>() {
    if constexpr (has_sum_kernel(X::integer, T::has_field_words)) {
      if (X::integer != integer || width == 0) return;
      const Traversal traversal = Traversals<T::dimension>(job.rows.L, job.planes).last();
      sum_kernel<T, X><<<dim3(traversal.warp_traversals(), job.packs), dim3(32, width < 8 ? width : 8)>>>(
          job, traversal, width, counts);
      check(cudaGetLastError(), "measurement");
    }
  });
}

}  // namespace psflip::cuda
