#pragma once
#include "engine/cuda/device/cluster.cuh"
#include "engine/cuda/device/shared_memory.hpp"
#include "engine/cuda/sweep/cubic_shape.hpp"
#include "engine/cuda/sweep/persistent/half_sweep_barrier.cuh"
#include "engine/cuda/sweep/persistent/schedule.cuh"
#include "engine/cuda/sweep/persistent/segment.cuh"
#include "engine/cuda/sweep/persistent/shared_pack.cuh"
#include "engine/cuda/update/pack_queue.cuh"

/// Persistent kernels: they keep a pack in shared memory for many half sweeps.
namespace psflip::cuda {

inline constexpr std::size_t known_limit = 227 * 1024;  ///< shared memory of a block, compute capability 9.0

/// Threads of a block, at most, of a known size. Mostly 640, so that a thread has 100 registers. With shared random
/// numbers more threads take less time at some sizes whose planes 640 threads cannot share evenly: on an H100 8, 1 and
/// 24 % less at L = 12, 14 and 20, but 9 to 17 % more at L = 16 and 18.
template <class Decision>
constexpr std::uint32_t most_threads_of_known(std::uint32_t L) {
  const bool more = L == 12 || L == 14 || L == 20;
  return more && !Decision::uses_queue ? 1024 : most_threads;
}

/// A lattice size and shape known at compile time, so that addresses are constants and the z-sweep unrolls; L = 0:
/// known only at launch. MOST: threads of a block.
template <int L_, int G, std::uint32_t MOST = most_threads>
struct KnownCube {
  static constexpr std::uint32_t L = L_, most = MOST;
  static constexpr CubicShape shape = cubic_shape(L ? L : 4, G, known_limit, most_blocks, MOST);
  static constexpr int segment = L ? shape.segment : 0, short_segment = L ? shape.short_segment(L) : 0;
  static constexpr bool clusters = L == 0 || shape.blocks > 1;
  static constexpr std::size_t bytes = L ? cubic_bytes(L, shape.planes, G) : 0;  ///< of shared memory, of a block
  static constexpr std::uint32_t threads = L ? shape.threads : unknown_threads;
  /// Whether a thread updates all planes of its column in a block.
  static constexpr bool one_segment = L && shape.planes <= shape.segment;
  /// Whether all warps are complete, with the same number of planes in all threads.
  static constexpr bool equal_threads = L && short_segment == 0 && threads % 32 == 0;
};

/// Threads of a block, complete warps if they have queues: then the last threads may have no planes.
template <class Decision>
PSFLIP_HD constexpr std::uint32_t block_threads(std::uint32_t threads) {
  return Decision::uses_queue ? (threads + 31) / 32 * 32 : threads;
}

/// Entries of the queue of a warp: at least the words that it updates in a half sweep. A power of two, so that its
/// memory can be aligned to its size: see QueueEntries.
template <int G>
PSFLIP_HD constexpr std::size_t queue_entries(const CubicShape& shape) {
  std::size_t entries = 32;
  while (entries < 32 * std::size_t{G} * shape.segment) entries *= 2;
  return entries;
}

/// Planes z0 ... z1 - 1 of a block that a thread updates.
struct PlanesOfThread {
  std::uint32_t z0, z1;
};
/// IN_STEP: z0 is a plane of the block also if the thread has none.
template <class Known, bool IN_STEP>
__device__ __forceinline__ PlanesOfThread planes_of_thread(const BlockPlanes& block, std::uint32_t segment) {
  const std::uint32_t z0 = threadIdx.x / block.plane * segment;
  if constexpr (!IN_STEP) return {z0, max(z0, min(block.planes, z0 + segment))};
  if (z0 >= block.planes) return {0, 0};
  if constexpr (Known::one_segment) return {0, block.planes};
  return {z0, min(block.planes, z0 + segment)};
}

/// The planes of this thread block.
template <class Known, class Pack>
__device__ __forceinline__ BlockPlanes make_block_planes(std::uint32_t* shared, std::uint32_t L,
                                                         const CubicShape& shape) {
  const std::uint32_t blocks = shape.blocks, rank = Known::clusters ? cluster::rank() : 0,
                      sites = L * L / 2 * shape.planes;
  const auto planes_of = [&](std::uint32_t r) {
    return Known::L && L % shape.blocks == 0 ? shape.planes : min(shape.planes, L - r * shape.planes);
  };
  const std::uint32_t below = rank == 0 ? blocks - 1 : rank - 1, above = rank + 1 == blocks ? 0 : rank + 1;
  BlockPlanes block;
  block.own = block.below = block.above = Pack::view(shared, sites);
  block.plane = L * L / 2;
  block.planes = planes_of(rank);
  block.planes_below = planes_of(below);
  block.first_plane = rank * shape.planes;
  if constexpr (Known::clusters) {
    block.below = Pack::view(cluster::shared_of(shared, below), sites);
    block.above = Pack::view(cluster::shared_of(shared, above), sites);
  }
  return block;
}

/// Many half sweeps of the cubic lattice with a pack in the shared memory of one thread block or of a cluster. Each
/// block of a cluster holds some planes and reads those of its neighbours. Grid (clusters x blocks of a cluster). A
/// thread keeps its column and its segment of planes.
template <class Known, class Decision>
__global__ void __launch_bounds__(block_threads<Decision>(Known::threads))
    persistent_cubic_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout,
                            const __grid_constant__ KeySchedule keys, Schedule schedule, std::uint32_t first_replica,
                            CubicShape given, uint4* queue_slots, const __grid_constant__ Decision decide) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  if constexpr (Known::L && Known::clusters) return;  // never launched on these GPUs, and slow to compile
#endif
  if constexpr (!fits_architecture(Known::bytes)) return;
  constexpr int G = Decision::group;
  std::uint32_t* shared = shared_memory();
  using Pack = SharedPack<3, G, true>;
  const CubicShape shape = Known::L ? Known::shape : given;
  const std::uint32_t L = Known::L ? Known::L : layout.L;
  const BlockPlanes block = make_block_planes<Known, Pack>(shared, L, shape);
  const Column column(threadIdx.x % block.plane, L);
  constexpr bool in_step = Decision::uses_queue && !Known::equal_threads;
  const auto [z0, z1] = planes_of_thread<Known, in_step>(block, shape.segment);
  const std::uint32_t steps = min(block.planes, shape.segment);
  const std::uint32_t first = block.first_plane * block.plane, count = block.planes * block.plane;
  const std::uint32_t warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  PackQueue<Decision, GlobalEntries> queue(queue_slots + warp * queue_entries<G>(shape), block.own, first);
  BarrierOfCube<Known, Decision> barrier(shared + Known::bytes / 4, Known::clusters ? cluster::rank() : 0);
  for (std::uint32_t task = blockIdx.x / shape.blocks; task < schedule.count(); task += schedule.groups) {
    const std::uint32_t pack = schedule.pack(task), interval = schedule.interval(task);
    const PackView global = layout.view<3>(spins, couplings, pack, first_replica);
    schedule.wait_for(pack, interval);
    Pack::load(global, shared, block.own.sites, first, count);
    synchronize_blocks<Known>();
    const std::uint32_t begin = schedule.begin(interval), end = schedule.end(interval);
    HalfSweep s(keys, layout.first_pack + pack, begin, first_replica);
    auto drawn = decide.draw(s, first + z0 * block.plane + column.index);
    for (std::uint32_t h = begin; h != end; ++h) {
      const HalfSweep next(keys, layout.first_pack + pack, h + 1, first_replica);
      const auto defer = [&](const auto& pending, std::uint32_t site) {
        queue.push(pending, site);
        if (queue.full()) queue.settle(s, decide, h & 1u);
      };
      // two copies, so that the addresses of both parities are constants
      if (h & 1u)
        update_segment<Known, G, in_step>(block, column, z0, z1, 1, s, next, decide, drawn, defer, steps);
      else
        update_segment<Known, G, in_step>(block, column, z0, z1, 0, s, next, decide, drawn, defer, steps);
      queue.settle_all(s, decide, h & 1u);
      s = next;
      barrier.wait(h & 1u);
    }
    barrier.end();
    Pack::store(global, shared, block.own.sites, first, count);
    __threadfence();
    synchronize_blocks<Known>();
    schedule.set_done(pack, interval, Known::clusters ? cluster::rank() : 0);
  }
}

}  // namespace psflip::cuda
