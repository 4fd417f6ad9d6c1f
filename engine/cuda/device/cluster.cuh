#pragma once
#include <cstdint>

/// Clusters of thread blocks that read each other's shared memory (compute capability 9.0). Kernels that need clusters
/// are never launched on older GPUs; there these functions describe a cluster of one block. Without nvcc, the emulator
/// (tests/emulated) defines these functions.
#ifdef __CUDACC__
#include <cooperative_groups.h>

namespace psflip::cuda::cluster {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__device__ inline std::uint32_t rank() { return cooperative_groups::this_cluster().block_rank(); }
__device__ inline void sync() { cooperative_groups::this_cluster().sync(); }
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
