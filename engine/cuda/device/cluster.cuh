#pragma once
#include <cstdint>

/// Clusters of thread blocks that read each other's shared memory (compute capability 9.0). Kernels that need clusters
/// are never launched on older GPUs; there these functions describe a cluster of one block. Without nvcc, the emulator
/// (tests/emulated) defines these functions.
#ifdef __CUDACC__
#include <cooperative_groups.h>

/// Of a kernel whose clusters have a size that is known at compile time: its barriers then need not ask for it.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define PSFLIP_CLUSTER_OF(blocks) __cluster_dims__(blocks, 1, 1)
#else
#define PSFLIP_CLUSTER_OF(blocks)
#endif

namespace psflip::cuda::cluster {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__device__ inline std::uint32_t rank() { return cooperative_groups::this_cluster().block_rank(); }
/// One warp makes the writes of its block visible to the cluster; the same release by every warp takes longer, since it
/// compiles to a fence of the whole GPU.
__device__ inline void sync() {
  __syncthreads();
  if (threadIdx.x < 32)
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  else
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ inline std::uint32_t* shared_of(std::uint32_t* mine, std::uint32_t block) {
  return cooperative_groups::this_cluster().map_shared_rank(mine, static_cast<int>(block));
}
#else
__device__ inline std::uint32_t rank() { return 0; }
__device__ inline void sync() { __syncthreads(); }
__device__ inline std::uint32_t* shared_of(std::uint32_t* mine, std::uint32_t) { return mine; }
#endif

}  // namespace psflip::cuda::cluster
#endif
