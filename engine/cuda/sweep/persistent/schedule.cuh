#pragma once
#include "engine/cuda/sweep/persistent/intervals.hpp"

namespace psflip::cuda {

/// Tasks of clusters. A cluster waits until done[pack] shows that the preceding interval of the pack is stored.
struct Schedule : Tasks {
  std::uint32_t* done;

  __device__ void wait_for(std::uint32_t pack, std::uint32_t interval) const {
    if (interval != 0 && threadIdx.x == 0) {
      while (*const_cast<volatile std::uint32_t*>(done + pack) < interval) __nanosleep(100);
      __threadfence();
    }
    __syncthreads();
  }
  /// All blocks of the cluster must have stored their spins, followed by a fence.
  __device__ void set_done(std::uint32_t pack, std::uint32_t interval, std::uint32_t rank) const {
    if (intervals == 1 || rank != 0 || threadIdx.x != 0) return;
    __threadfence();
    *const_cast<volatile std::uint32_t*>(done + pack) = interval + 1;
  }
};

}  // namespace psflip::cuda
