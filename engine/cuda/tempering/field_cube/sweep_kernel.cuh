#pragma once
#include <algorithm>

#include "engine/cuda/tempering/field_cube/sweep_job.hpp"
#include "engine/cuda/tempering/field_cube/unit_counts.cuh"
#include "engine/cuda/update/field_decision.cuh"
#include "engine/cuda/update/field_scheme.hpp"

/// Half sweeps of single configurations: persistent in the shared memory of a thread block if they fit, else in global
/// memory, one half sweep per launch.
namespace psflip::cuda {

/// One half sweep of the sites of a block, `most` of a thread.
template <class Known, class Scheme>
__device__ __forceinline__ void half_sweep(FieldZSweep<Known> sweep, std::uint32_t* first_spin, std::uint32_t site,
                                           std::uint32_t most, std::uint32_t set, const HalfSweepNumbers& numbers,
                                           const ClassMasks<Scheme>& masks, const SlotThresholds<Scheme>& thresholds,
                                           LaneQueue<Scheme>& queue) {
  static_assert(sites_at_once % 2 == 0);
  SiteWords w = sweep.load(0, 0);
#pragma unroll 1
  for (std::uint32_t k = 0; k < most; k += sites_at_once) {
#pragma unroll
    for (std::uint32_t j = 0; j < sites_at_once; ++j) {
      if (j == 2 && Known::ends_early && k + j >= most) break;
      SiteWords next = {};
      if (j + 1 < sites_at_once || k + sites_at_once < most) next = sweep.load(k + j + 1, j + 1);  // prefetched
      const std::uint32_t neighbour[6] = {sweep.at_here, w.side, w.up, w.down, w.next, sweep.at_before};
      auto d = decide(numbers, site, set, w.spin, neighbour, w.field, masks);
      if (Known::complete || k + j < sweep.planes)
        sweep.mine[j * sweep.plane] = w.spin ^ d.flip;
      else
        d.equal = 0;
      queue.push(d.equal, d.class_bit, site);
      sweep.at_before = sweep.at_here;
      sweep.at_here = w.next;
      w = next;
      site += sweep.plane;
    }
    sweep.advance(sites_at_once);
    while (queue.full()) queue.settle(numbers, set, thresholds, first_spin);
  }
  while (!queue.empty()) queue.settle(numbers, set, thresholds, first_spin);
}

/// Copies a configuration, whose words are a multiple of four.
__device__ __forceinline__ void copy_words(std::uint32_t* to, const std::uint32_t* from, std::uint32_t words) {
  for (std::uint32_t i = threadIdx.x; i < words / 4; i += blockDim.x)
    reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
}

/// Counts the -1 spins of the planes of the configuration in shared memory. `scratch`: words of this warp.
__device__ __forceinline__ void count_planes_of_block(const FieldCubeSweep& job, const Traversals<3>& traversals,
                                                      std::uint32_t* spins, std::uint32_t* scratch) {
  const std::uint32_t count = traversals.first.warp_traversals() + traversals.second.warp_traversals();
  for (std::uint32_t number = threadIdx.x / 32; number < count; number += blockDim.x / 32)
    count_planes_of_unit(spins, job.shape, traversals, number, *reinterpret_cast<WarpBytes*>(scratch),
                         job.counts + job.shape.planes(blockIdx.z, blockIdx.y));
}

/// Threads of a multiprocessor that the registers of a kernel are meant for. Where a block keeps its configuration,
/// fewer threads that hold the tables of seven classes are faster than more threads that spill some.
template <class Known, class Scheme>
inline constexpr std::uint32_t resident_threads = (Scheme::classes > 4 && Known::persistent) ? 640 : 768;

/// Grid (blocks of a configuration, units of the job, packs). Persistent: one block of a configuration and any number
/// of half sweeps, else one half sweep.
template <class Known, class Scheme>
__global__ void __launch_bounds__(Known::threads, std::max(1u, resident_threads<Known, Scheme> / Known::threads))
    sweep_kernel(FieldCubeSweep job, ZSweepShape given, const __grid_constant__ Traversals<3> traversals,
                 const __grid_constant__ KeySchedule keys, const __grid_constant__ ThresholdList<Scheme> list) {
  static_assert(sizeof(WarpBytes) <= sizeof(std::uint32_t) * LaneQueue<Scheme>::words);
  PSFLIP_SHARED_QUADS(shared);
  auto* words = reinterpret_cast<std::uint32_t*>(shared);
  const ZSweepShape shape = Known::L ? Known::shape : given;
  const std::uint32_t L = Known::L ? Known::L : job.shape.L, plane = L * L / 2, sites = L * plane,
                      slot = job.first_slot + (blockIdx.y >> 1), set = in_register(blockIdx.y & 1u);
  const SlotThresholds<Scheme>& thresholds = list.slot[slot];
  const ClassMasks<Scheme> masks(thresholds);
  const ZSweepStart start(shape, L, blockIdx.x);
  std::uint32_t* global = job.spins + job.shape.unit_spins(blockIdx.z, blockIdx.y);
  const std::uint32_t* fields = job.fields + job.shape.fields(blockIdx.z);
  const std::uint64_t pack = job.shape.pack_numbers[blockIdx.z];
  const std::uint32_t most = Known::persistent || Known::complete ? shape.segment : start.most_planes;
  LaneQueue<Scheme> queue(words + (Known::persistent ? 2 * sites : 0));
  const auto update = [&](std::uint32_t* spins, std::uint32_t h) {
    const HalfSweepNumbers numbers(keys, pack, h, slot);
    half_sweep<Known>(FieldZSweep<Known>(start, L, h & 1u, spins, fields), spins + (h & 1u) * sites,
                      start.z * plane + start.column.index, most, set, numbers, masks, thresholds, queue);
  };
  after_previous_kernel();
  if constexpr (!Known::persistent) {
    if (!Known::complete && !__any_sync(~0u, start.planes != 0)) return;
    update(global, job.first_half_sweep);
  } else {
    copy_words(words, global, 2 * sites);
    __syncthreads();
    for (std::uint32_t h = job.first_half_sweep; h != job.first_half_sweep + job.half_sweeps; ++h) {
      update(words, h);
      __syncthreads();
    }
    copy_words(global, words, 2 * sites);
    count_energies(FieldZSweep<Known>(start, L, 0, words, fields), shape.segment, sites,
                   job.counts + job.shape.bonds(blockIdx.z, blockIdx.y),
                   job.counts + job.shape.against(blockIdx.z, blockIdx.y));
    if (job.counts_planes)
      count_planes_of_block(job, traversals, words, words + 2 * sites + threadIdx.x / 32 * LaneQueue<Scheme>::words);
  }
}

}  // namespace psflip::cuda
