#pragma once
#include <cstdint>

/// Clusters of thread blocks that read each other's shared memory (compute capability 9.0). Kernels that need clusters
/// are never launched on older GPUs; there these functions describe a cluster of one block. Without nvcc, the emulator
/// (tests/emulated) defines these functions.
#ifdef __CUDACC__
#include <cooperative_groups.h>

/// Of a kernel whose clusters have a size that is known at compile time: its barriers then need not read it.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define PSFLIP_CLUSTER_OF(blocks) __cluster_dims__(blocks, 1, 1)
#else
#define PSFLIP_CLUSTER_OF(blocks)
#endif

namespace psflip::cuda::cluster {

/// Counts words that arrive in the shared memory of a block, phase by phase (an mbarrier).
using Arrivals = std::uint64_t;
/// Counts threads that arrive, phase by phase.
using Barrier = std::uint64_t;
/// Address of barriers, one after the other, in the shared memory of the cluster.
using BarrierAddress = std::uint32_t;

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
template <class T>
__device__ inline T* shared_of(T* mine, std::uint32_t block) {
  return cooperative_groups::this_cluster().map_shared_rank(mine, static_cast<int>(block));
}
/// Stores a word in the shared memory of a block and counts it there. Unlike a barrier of the cluster, this needs no
/// fence.
__device__ inline void send(std::uint32_t* to, std::uint32_t word, Arrivals* arrivals) {
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(
                   static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
               "r"(word), "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(arrivals)))
               : "memory");
}
__device__ inline void initialize(Arrivals* arrivals) {
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(arrivals)))
      : "memory");
}
/// One thread calls it once for each phase, before or after words arrive. They may not arrive before the end of the
/// preceding phase.
__device__ inline void expect(Arrivals* arrivals, std::uint32_t words) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   static_cast<std::uint32_t>(__cvta_generic_to_shared(arrivals))),
               "r"(4 * words)
               : "memory");
}
/// A barrier where `threads` threads arrive in each phase. Threads of other blocks may arrive after a barrier of the
/// cluster.
__device__ inline void initialize(Barrier* barrier, std::uint32_t threads) {
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(barrier))),
      "r"(threads)
      : "memory");
}
__device__ inline BarrierAddress address_of(const Barrier* barrier) {
  return static_cast<BarrierAddress>(__cvta_generic_to_shared(barrier));
}
__device__ inline BarrierAddress barrier_at(BarrierAddress first, std::uint32_t index) {
  return first + index * static_cast<std::uint32_t>(sizeof(Barrier));
}
/// Arrives at a barrier, of another block if CLUSTER. What this warp has written before its last __syncwarp() can be
/// read where has_ended().
template <bool CLUSTER>
__device__ inline void arrive(BarrierAddress barrier) {
  if constexpr (CLUSTER)
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
  else
    asm volatile("{ .reg .b64 s; mbarrier.arrive.release.cta.shared::cta.b64 s, [%0]; }" ::"r"(barrier) : "memory");
}
/// Whether a phase of a barrier of this block has ended, for which it waits some time. Only the lowest bit of the phase
/// counts.
template <bool CLUSTER>
__device__ inline bool has_ended(BarrierAddress barrier, std::uint32_t phase) {
  std::uint32_t ended;
  if constexpr (CLUSTER)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(ended)
        : "r"(barrier), "r"(phase & 1u)
        : "memory");
  else
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(ended)
        : "r"(barrier), "r"(phase & 1u)
        : "memory");
  return ended != 0;
}
/// Waits for the words of a phase, of which only the lowest bit counts. The words are from another block, so the
/// programming model wants the scope of the cluster. For sm_90 it adds only an invalidation of the L1 cache, which
/// holds no shared memory; the wait itself is the same instruction.
__device__ inline void wait_for(Arrivals* arrivals, std::uint32_t phase) {
  std::uint32_t done;
  do {
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(arrivals))), "r"(phase & 1u)
                 : "memory");
  } while (done == 0);
}
#else
__device__ inline void send(std::uint32_t*, std::uint32_t, Arrivals*) {}
__device__ inline void initialize(Arrivals*) {}
__device__ inline void expect(Arrivals*, std::uint32_t) {}
__device__ inline void wait_for(Arrivals*, std::uint32_t) {}
__device__ inline void initialize(Barrier*, std::uint32_t) {}
__device__ inline BarrierAddress address_of(const Barrier*) { return 0; }
__device__ inline BarrierAddress barrier_at(BarrierAddress, std::uint32_t) { return 0; }
template <bool CLUSTER>
__device__ inline void arrive(BarrierAddress) {}
/// All threads of the block call it once for each phase.
template <bool CLUSTER>
__device__ inline bool has_ended(BarrierAddress, std::uint32_t) {
  __syncthreads();
  return true;
}
__device__ inline std::uint32_t rank() { return 0; }
__device__ inline void sync() { __syncthreads(); }
template <class T>
__device__ inline T* shared_of(T* mine, std::uint32_t) {
  return mine;
}
#endif

}  // namespace psflip::cuda::cluster
#endif
