#pragma once
#include "engine/cuda/field_decision.cuh"
#include "engine/cuda/march.cuh"
#include "engine/cuda/tempering_sweep.hpp"

/// Half sweeps of single configurations: in the shared memory of a block for many half sweeps where they fit, else from
/// global memory, one half sweep a launch.
namespace psflip::cuda {

/// How the sites of one parity are laid over the threads of a block: `columns` columns along z side by side; the `rows`
/// threads of a column take every rows-th of the `planes` planes in turn.
struct MarchShape {
  std::uint32_t columns, rows, planes, threads;
};

/// Of a block that holds a configuration. Few threads with many sites each keep the queues of undecided lanes filled;
/// where only one block fits into a multiprocessor it is as large as can be.
constexpr MarchShape resident_shape(std::uint32_t L) {
  const std::uint32_t plane = L * L / 2, wanted = L * L * L * 4 > 110 * 1024 ? 1024 : 64;
  const std::uint32_t fitting = wanted / plane > L ? L : wanted / plane, rows = fitting > 0 ? fitting : 1;
  return {plane, rows, L, (plane * rows + 31) / 32 * 32};
}

constexpr MarchShape streamed_shape(std::uint32_t L) {
  const std::uint32_t plane = L * L / 2, columns = plane < 256 ? plane : 256;
  return {columns, 1, L < 16 ? L : 16, (columns + 31) / 32 * 32};
}

/// A lattice that the compiler knows; L = 0 stands for what is known only at launch.
template <int L_, bool RESIDENT>
struct KnownMarch {
  static constexpr std::uint32_t L = L_;
  static constexpr bool resident = RESIDENT;
  static constexpr MarchShape shape = RESIDENT ? resident_shape(L ? L : 4) : streamed_shape(L ? L : 4);
  static constexpr std::uint32_t threads = L ? shape.threads : RESIDENT ? 1024 : 256;
  /// All threads have the same number of sites.
  static constexpr bool complete = L != 0 && shape.columns * shape.rows == shape.threads &&
                                   (L * L / 2) % shape.columns == 0 && shape.planes % shape.rows == 0 &&
                                   L % shape.planes == 0;
};

/// The sites of one thread.
struct MarchPlace {
  Column column;
  std::uint32_t z, end;  ///< first plane; planes from `end` on are not its own

  __device__ __forceinline__ MarchPlace(const MarchShape& shape, std::uint32_t L, std::uint32_t block) : column(0, L) {
    const std::uint32_t plane = L * L / 2, across = (plane + shape.columns - 1) / shape.columns;
    const std::uint32_t number = block % across * shape.columns + threadIdx.x % shape.columns,
                        row = threadIdx.x / shape.columns, first = block / across * shape.planes;
    z = first + row;
    end = min(first + shape.planes, L);
    if (row >= shape.rows || number >= plane)
      end = 0;
    else
      column = Column(number, L);
  }
};

/// What the update of one site reads.
struct SiteWords {
  std::uint32_t spin, field, neighbour[6];
};

/// One half sweep of the sites of a block.
template <class Known, class Scheme>
struct HalfSweepMarch {
  std::uint32_t *mine, *other;
  const std::uint32_t* fields;
  std::uint32_t L, plane, rows;

  __device__ __forceinline__ SiteWords load(const MarchPlace& p, std::uint32_t z, int side) const {
    SiteWords w = {};
    if (!Known::complete && z >= p.end) return w;
    const std::uint32_t i = z * plane + p.column.place;
    const std::uint32_t* o = other + i;
    w.spin = mine[i];
    w.field = __ldg(fields + i);
    w.neighbour[0] = o[0];
    w.neighbour[1] = o[side];
    w.neighbour[2] = o[p.column.up];
    w.neighbour[3] = o[p.column.down];
    w.neighbour[4] = other[z + 1 == L ? p.column.place : i + plane];
    w.neighbour[5] = other[z == 0 ? i + (L - 1) * plane : i - plane];
    return w;
  }

  __device__ __forceinline__ void run(const MarchPlace& p, std::uint32_t planes, std::uint32_t parity,
                                      std::uint32_t set, const HalfSweepNumbers& numbers,
                                      const ClassMasks<Scheme>& masks, const SlotThresholds<Scheme>& thresholds,
                                      LaneQueue<Scheme>& queue) const {
    const bool shift = ((p.column.y + p.z + parity) & 1u) != 0;
    int side = shift ? p.column.side_right : p.column.side_left, next_side = rows % 2 == 0 ? side
                                                                             : shift       ? p.column.side_left
                                                                                           : p.column.side_right;
    SiteWords w = load(p, p.z, side);
    const std::uint32_t steps = (planes + rows - 1) / rows;
#pragma unroll 2
    for (std::uint32_t k = 0; k < steps; ++k) {
      const std::uint32_t z = p.z + k * rows, i = z * plane + p.column.place;
      SiteWords next;
      if (k + 1 < steps) next = load(p, z + rows, next_side);  // on its way while this site is decided
      auto d = decide(numbers, i, set, w.spin, w.neighbour, w.field, masks);
      if (Known::complete || z < p.end)
        mine[i] = w.spin ^ d.flip;
      else
        d.equal = 0;
      queue.push(d.equal, d.class_bit, i);
      while (queue.full()) queue.settle(numbers, set, thresholds, mine);
      w = next;
      const int again = side;
      side = next_side;
      next_side = again;
    }
    while (!queue.empty()) queue.settle(numbers, set, thresholds, mine);
  }
};

template <class Known, class Scheme>
__device__ __forceinline__ void half_sweep(std::uint32_t* spins, const std::uint32_t* fields, const SweepJob& job,
                                           const MarchShape& shape, const MarchPlace& place, std::uint32_t parity,
                                           const HalfSweepNumbers& numbers, const ClassMasks<Scheme>& masks,
                                           const SlotThresholds<Scheme>& thresholds, LaneQueue<Scheme>& queue) {
  const std::uint32_t L = Known::L ? Known::L : job.shape.lattice.L, sites = L * L * L / 2;
  const HalfSweepMarch<Known, Scheme> march{
      spins + parity * sites, spins + (1 - parity) * sites, fields + parity * sites, L, L * L / 2, shape.rows};
  march.run(place, shape.planes, parity, blockIdx.y & 1u, numbers, masks, thresholds, queue);
}

/// Copies a configuration, whose words are a multiple of four.
__device__ __forceinline__ void copy_words(std::uint32_t* to, const std::uint32_t* from, std::uint32_t words) {
  for (std::uint32_t i = threadIdx.x; i < words / 4; i += blockDim.x)
    reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
}

/// Grid (blocks of a configuration, units, packs); resident: one block of a configuration and any number of half
/// sweeps, else one half sweep.
template <class Known, class Scheme>
__global__ void __launch_bounds__(Known::threads, Known::threads > 768 ? 1 : 768 / Known::threads)
    sweep_kernel(SweepJob job, MarchShape given, const __grid_constant__ KeySchedule keys,
                 const __grid_constant__ ThresholdList<Scheme> list) {
  extern __shared__ uint4 shared[];
  auto* words = reinterpret_cast<std::uint32_t*>(shared);
  const MarchShape shape = Known::L ? Known::shape : given;
  const std::uint32_t L = Known::L ? Known::L : job.shape.lattice.L, sites = L * L * L / 2, slot = blockIdx.y >> 1;
  const SlotThresholds<Scheme>& thresholds = list.slot[slot];
  const ClassMasks<Scheme> masks(thresholds);
  const MarchPlace place(shape, L, blockIdx.x);
  std::uint32_t* global = job.spins + job.shape.spins(blockIdx.z, blockIdx.y);
  const std::uint32_t* fields = job.fields + job.shape.fields(blockIdx.z);
  const std::uint64_t pack = job.shape.first_pack + blockIdx.z;
  if constexpr (!Known::resident) {
    LaneQueue<Scheme> queue(words);
    const HalfSweepNumbers numbers(keys, pack, job.first_half_sweep, slot);
    half_sweep<Known>(global, fields, job, shape, place, job.first_half_sweep & 1u, numbers, masks, thresholds, queue);
  } else {
    LaneQueue<Scheme> queue(words + 2 * sites);
    copy_words(words, global, 2 * sites);
    __syncthreads();
    for (std::uint32_t h = job.first_half_sweep; h != job.first_half_sweep + job.half_sweeps; ++h) {
      const HalfSweepNumbers numbers(keys, pack, h, slot);
      half_sweep<Known>(words, fields, job, shape, place, h & 1u, numbers, masks, thresholds, queue);
      __syncthreads();
    }
    copy_words(global, words, 2 * sites);
  }
}

}  // namespace psflip::cuda
