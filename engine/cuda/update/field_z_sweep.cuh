#pragma once
#include <cstdint>

#include "engine/cuda/update/z_sweep.cuh"

/// The z-sweep of threads over a configuration of the random-field model, in shared or global memory.
namespace psflip::cuda {

/// Distribution of the sites of one parity over the threads of a block: `columns` adjacent columns along z and `rows`
/// threads for each column. A thread updates `segment` planes in order.
struct ZSweepShape {
  std::uint32_t columns, rows, segment, threads;
};

/// Shape of a thread block that holds a configuration. Few threads with many sites each keep the queues of undecided
/// lanes filled. If only one block fits on a multiprocessor, it has as many threads as possible.
constexpr ZSweepShape persistent_shape(std::uint32_t L) {
  const std::uint32_t plane = L * L / 2, wanted = L * L * L * 4 > 110 * 1024 ? 1024 : 32;
  const std::uint32_t fitting = wanted / plane > L ? L : wanted / plane, rows = fitting > 0 ? fitting : 1;
  return {plane, rows, (L + rows - 1) / rows, (plane * rows + 31) / 32 * 32};
}

/// Warps of a thread block, four to eight, of which a plane needs fewest in full blocks.
constexpr std::uint32_t warps_across(std::uint32_t plane) {
  const std::uint32_t needed = (plane + 31) / 32;
  std::uint32_t best = needed < 8 ? needed : 8;
  const auto used = [&](std::uint32_t warps) { return (needed + warps - 1) / warps * warps; };
  for (std::uint32_t warps = best; warps >= 4; --warps)
    if (used(warps) < used(best)) best = warps;
  return best;
}

/// Shape of a thread block with a part of a configuration. Each thread has 32 planes where they divide L, else a
/// multiple of four up to 20.
constexpr ZSweepShape global_memory_shape(std::uint32_t L) {
  const std::uint32_t plane = L * L / 2, threads = 32 * warps_across(plane), parts = (L + 19) / 20;
  const std::uint32_t segment = L % 32 == 0 ? 32 : (L + 4 * parts - 1) / (4 * parts) * 4;
  return {plane < threads ? plane : threads, 1, segment, threads};
}

/// Thread blocks of a configuration; 1 for persistent shapes.
constexpr std::uint32_t blocks_of(const ZSweepShape& shape, std::uint32_t L) {
  const std::uint32_t plane = L * L / 2, planes_of_block = shape.rows * shape.segment;
  return (plane + shape.columns - 1) / shape.columns * ((L + planes_of_block - 1) / planes_of_block);
}

inline constexpr std::uint32_t sites_at_once = 4;  ///< of a thread, between two checks of the queue

/// A lattice size known at compile time; L = 0: known only at launch.
template <int L_, bool PERSISTENT>
struct KnownZSweep {
  static constexpr std::uint32_t L = L_;
  static constexpr bool persistent = PERSISTENT;
  static constexpr ZSweepShape shape = PERSISTENT ? persistent_shape(L ? L : 4) : global_memory_shape(L ? L : 4);
  static constexpr std::uint32_t threads = L ? shape.threads : PERSISTENT ? 768 : 256;
  /// All threads have the same number of sites.
  static constexpr bool complete = L != 0 && shape.columns * shape.rows == shape.threads &&
                                   (L * L / 2) % shape.columns == 0 && L % (shape.rows * shape.segment) == 0 &&
                                   shape.segment % sites_at_once == 0;
  /// The last sites of a thread may be fewer than it updates at once.
  static constexpr bool ends_early = L == 0 || shape.segment % sites_at_once != 0;
};

/// The sites of one thread.
struct ZSweepStart {
  Column column;
  std::uint32_t z, planes;
  std::uint32_t most_planes;  ///< of a thread of this block

  __device__ __forceinline__ ZSweepStart(const ZSweepShape& shape, std::uint32_t L, std::uint32_t block)
      : column(0, L) {
    const std::uint32_t plane = L * L / 2, across = (plane + shape.columns - 1) / shape.columns;
    const std::uint32_t number = block % across * shape.columns + threadIdx.x % shape.columns,
                        row = threadIdx.x / shape.columns;
    const std::uint32_t first = block / across * shape.rows;
    z = (first + row) * shape.segment;
    most_planes = min(shape.segment, L - first * shape.segment);
    planes = 0;
    if (row >= shape.rows || number >= plane || z >= L) return;
    column = Column(number, L);
    planes = min(shape.segment, L - z);
  }
};

/// Words that the update of one site reads, except the neighbours along z.
struct SiteWords {
  std::uint32_t spin, field, side, up, down, next;
};

/// The z-sweep of a thread over its sites of one parity. The other parity's words at z - 1 and z stay in registers.
template <class Known>
struct FieldZSweep {
  std::uint32_t plane, planes;
  std::uint32_t* mine;
  const std::uint32_t *field, *here, *side, *other_side, *up, *down, *top;  ///< side: at even steps
  std::uint32_t at_before, at_here;

  __device__ __forceinline__ FieldZSweep(const ZSweepStart& p, std::uint32_t L, std::uint32_t parity,
                                         std::uint32_t* spins, const std::uint32_t* fields)
      : plane(L * L / 2), planes(Known::complete ? Known::shape.segment : p.planes) {
    const std::uint32_t sites = L * plane, i = p.z * plane + p.column.index, end = p.z + planes;
    const std::uint32_t* other = spins + (1 - parity) * sites;
    const bool shift = ((p.column.y + p.z + parity) & 1u) != 0;
    mine = spins + parity * sites + i;
    field = fields + parity * sites + i;
    here = other + i;
    side = here + (shift ? p.column.side_right : p.column.side_left);
    other_side = here + (shift ? p.column.side_left : p.column.side_right);
    up = here + p.column.up;
    down = here + p.column.down;
    top = other + p.column.index + (end == L ? 0 : end * plane);
    at_here = at_before = 0;
    if (!Known::complete && planes == 0) return;
    at_here = *here;
    at_before = other[p.z == 0 ? i + sites - plane : i - plane];
  }

  /// Words of the site `ahead` steps ahead, which is step number k of the z-sweep.
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

}  // namespace psflip::cuda
