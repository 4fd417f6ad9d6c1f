#pragma once
#include "engine/cuda/field_decision.cuh"
#include "engine/cuda/march.cuh"
#include "engine/cuda/tempering_sweep.hpp"

/// Half sweeps of single configurations: in the shared memory of a block for many half sweeps where they fit, else from
/// global memory, one half sweep a launch.
namespace psflip::cuda {

/// How the sites of one parity are laid over the threads of a block: `columns` columns along z side by side, `rows`
/// threads for each, which march through `run` planes in turn.
struct MarchShape {
  std::uint32_t columns, rows, run, threads;
};

/// Of a block that holds a configuration. Few threads with many sites each keep the queues of undecided lanes filled;
/// where only one block fits into a multiprocessor it is as large as can be.
constexpr MarchShape resident_shape(std::uint32_t L) {
  const std::uint32_t plane = L * L / 2, wanted = L * L * L * 4 > 110 * 1024 ? 1024 : 64;
  const std::uint32_t fitting = wanted / plane > L ? L : wanted / plane, rows = fitting > 0 ? fitting : 1;
  return {plane, rows, (L + rows - 1) / rows, (plane * rows + 31) / 32 * 32};
}

constexpr MarchShape streamed_shape(std::uint32_t L) {
  const std::uint32_t plane = L * L / 2, columns = plane < 256 ? plane : 256;
  return {columns, 1, L < 16 ? L : 16, (columns + 31) / 32 * 32};
}

inline constexpr std::uint32_t sites_at_once = 4;  ///< of a thread, between looks at the queue

/// A lattice that the compiler knows; L = 0 stands for what is known only at launch.
template <int L_, bool RESIDENT>
struct KnownMarch {
  static constexpr std::uint32_t L = L_;
  static constexpr bool resident = RESIDENT;
  static constexpr MarchShape shape = RESIDENT ? resident_shape(L ? L : 4) : streamed_shape(L ? L : 4);
  static constexpr std::uint32_t threads = L ? shape.threads : RESIDENT ? 1024 : 256;
  /// All threads have the same number of sites.
  static constexpr bool complete = L != 0 && shape.columns * shape.rows == shape.threads &&
                                   (L * L / 2) % shape.columns == 0 && L % (shape.rows * shape.run) == 0 &&
                                   shape.run % sites_at_once == 0;
};

/// The sites of one thread.
struct MarchPlace {
  Column column;
  std::uint32_t z, planes;

  __device__ __forceinline__ MarchPlace(const MarchShape& shape, std::uint32_t L, std::uint32_t block) : column(0, L) {
    const std::uint32_t plane = L * L / 2, across = (plane + shape.columns - 1) / shape.columns;
    const std::uint32_t number = block % across * shape.columns + threadIdx.x % shape.columns,
                        row = threadIdx.x / shape.columns;
    z = (block / across * shape.rows + row) * shape.run;
    planes = 0;
    if (row >= shape.rows || number >= plane || z >= L) return;
    column = Column(number, L);
    planes = min(shape.run, L - z);
  }
};

/// What the update of one site reads, but for the neighbours along z.
struct SiteWords {
  std::uint32_t spin, field, side, up, down, next;
};

/// The march of a thread through its sites of one parity. The other parity's words at z - 1 and z stay in registers.
template <class Known>
struct FieldMarch {
  std::uint32_t plane, planes;
  std::uint32_t* mine;
  const std::uint32_t *field, *here, *side, *other_side, *up, *down, *top;  ///< side: at even steps
  std::uint32_t at_before, at_here;

  __device__ __forceinline__ FieldMarch(const MarchPlace& p, std::uint32_t L, std::uint32_t parity,
                                        std::uint32_t* spins, const std::uint32_t* fields)
      : plane(L * L / 2), planes(Known::complete ? Known::shape.run : p.planes) {
    const std::uint32_t sites = L * plane, i = p.z * plane + p.column.place, end = p.z + planes;
    const std::uint32_t* other = spins + (1 - parity) * sites;
    const bool shift = ((p.column.y + p.z + parity) & 1u) != 0;
    mine = spins + parity * sites + i;
    field = fields + parity * sites + i;
    here = other + i;
    side = here + (shift ? p.column.side_right : p.column.side_left);
    other_side = here + (shift ? p.column.side_left : p.column.side_right);
    up = here + p.column.up;
    down = here + p.column.down;
    top = other + p.column.place + (end == L ? 0 : end * plane);
    at_here = at_before = 0;
    if (!Known::complete && planes == 0) return;
    at_here = *here;
    at_before = other[p.z == 0 ? i + sites - plane : i - plane];
  }

  /// Words of the site `ahead` steps from here, which is step number k of the march.
  __device__ __forceinline__ SiteWords load(std::uint32_t k, std::uint32_t ahead) const {
    SiteWords w = {};
    if (!Known::complete && k >= planes) return w;
    const std::uint32_t i = ahead * plane;
    w.spin = mine[i];
    w.field = __ldg(field + i);
    w.side = (ahead % 2 == 0 ? side : other_side)[i];
    w.up = up[i];
    w.down = down[i];
    w.next = k + 1 == planes ? *top : here[i + plane];
    return w;
  }

  __device__ __forceinline__ void advance(std::uint32_t steps) {
    const std::uint32_t i = steps * plane;
    mine += i;
    field += i;
    here += i;
    side += i;
    other_side += i;
    up += i;
    down += i;
  }
};

/// One half sweep of the sites of a block.
template <class Known, class Scheme>
__device__ __forceinline__ void half_sweep(FieldMarch<Known> march, std::uint32_t* first_spin, std::uint32_t site,
                                           std::uint32_t run, std::uint32_t set, const HalfSweepNumbers& numbers,
                                           const ClassMasks<Scheme>& masks, const SlotThresholds<Scheme>& thresholds,
                                           LaneQueue<Scheme>& queue) {
  static_assert(sites_at_once % 2 == 0);
  SiteWords w = march.load(0, 0);
#pragma unroll 1
  for (std::uint32_t k = 0; k < run; k += sites_at_once) {
#pragma unroll
    for (std::uint32_t j = 0; j < sites_at_once; ++j) {
      SiteWords next = {};
      if (j + 1 < sites_at_once || k + sites_at_once < run) next = march.load(k + j + 1, j + 1);  // on its way
      const std::uint32_t neighbour[6] = {march.at_here, w.side, w.up, w.down, w.next, march.at_before};
      auto d = decide(numbers, site, set, w.spin, neighbour, w.field, masks);
      if (Known::complete || k + j < march.planes)
        march.mine[j * march.plane] = w.spin ^ d.flip;
      else
        d.equal = 0;
      queue.push(d.equal, d.class_bit, site);
      march.at_before = march.at_here;
      march.at_here = w.next;
      w = next;
      site += march.plane;
    }
    march.advance(sites_at_once);
    while (queue.full()) queue.settle(numbers, set, thresholds, first_spin);
  }
  while (!queue.empty()) queue.settle(numbers, set, thresholds, first_spin);
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
  const std::uint32_t L = Known::L ? Known::L : job.shape.lattice.L, plane = L * L / 2, sites = L * plane,
                      slot = blockIdx.y >> 1, set = in_register(blockIdx.y & 1u);
  const SlotThresholds<Scheme>& thresholds = list.slot[slot];
  const ClassMasks<Scheme> masks(thresholds);
  const MarchPlace place(shape, L, blockIdx.x);
  std::uint32_t* global = job.spins + job.shape.spins(blockIdx.z, blockIdx.y);
  const std::uint32_t* fields = job.fields + job.shape.fields(blockIdx.z);
  LaneQueue<Scheme> queue(words + (Known::resident ? 2 * sites : 0));
  const auto update = [&](std::uint32_t* spins, std::uint32_t h) {
    const HalfSweepNumbers numbers(keys, job.shape.first_pack + blockIdx.z, h, slot);
    half_sweep<Known>(FieldMarch<Known>(place, L, h & 1u, spins, fields), spins + (h & 1u) * sites,
                      place.z * plane + place.column.place, shape.run, set, numbers, masks, thresholds, queue);
  };
  if constexpr (!Known::resident) {
    update(global, job.first_half_sweep);
  } else {
    copy_words(words, global, 2 * sites);
    __syncthreads();
    for (std::uint32_t h = job.first_half_sweep; h != job.first_half_sweep + job.half_sweeps; ++h) {
      update(words, h);
      __syncthreads();
    }
    copy_words(global, words, 2 * sites);
  }
}

}  // namespace psflip::cuda
