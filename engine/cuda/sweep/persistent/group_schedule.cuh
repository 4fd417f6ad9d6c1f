#pragma once
#include "engine/cuda/sweep/persistent/intervals.hpp"

namespace psflip::cuda {

/// Tasks of groups of thread blocks that hold one pack and exchange packets.
struct GroupSchedule : Tasks {
  std::uint32_t* stored;   ///< [pack] blocks stored so far, over all intervals
  std::uint32_t* arrived;  ///< [group] blocks that have begun a task, over all tasks

  /// Waits until the preceding interval is stored and all blocks of the group have finished their last task, so that
  /// the packets of that task have been read.
  __device__ void wait(std::uint32_t pack, std::uint32_t interval, std::uint32_t group, std::uint32_t task,
                       std::uint32_t blocks) const {
    if (threadIdx.x == 0) {
      atomicAdd(arrived + group, 1);
      const std::uint32_t tasks = task / groups + 1;
      while (*const_cast<volatile std::uint32_t*>(arrived + group) < tasks * blocks ||
             *const_cast<volatile std::uint32_t*>(stored + pack) < interval * blocks)
        __nanosleep(100);
    }
    __syncthreads();
    __threadfence();
  }
  __device__ void set_stored(std::uint32_t pack) const {
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(stored + pack, 1);
  }
};

}  // namespace psflip::cuda
