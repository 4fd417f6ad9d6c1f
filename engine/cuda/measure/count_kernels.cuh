#pragma once
#include "engine/cuda/measure/bit_counter.cuh"
#include "engine/cuda/measure/count_job.hpp"
#include "engine/cuda/measure/pair.cuh"
#include "engine/cuda/measure/traversal.cuh"
#include "engine/models/model.hpp"

/// Measurement: threads count spins, overlaps and unsatisfied bonds along their traversals in bit-sliced counters.
/// Integers per sample are added in global memory (a sum of integers does not depend on the order). A second kernel
/// reduces them.
namespace psflip::cuda {

/// Counts fields along a path: the spins of R replicas, or the overlaps of all their pairs. The words of a replica are
/// `apart` words after those of the replica before. PARITIES: 2, sites at even x and at odd x, with a counter each; 1,
/// only those at even x, or at odd x if `odd_x` is 1.
template <int R, bool PAIRS, int PARITIES>
struct FieldCounts {
  static constexpr int fields = PAIRS ? R * (R - 1) / 2 : R;
  Counter<8> of[fields][PARITIES];

  __device__ __forceinline__ FieldCounts(const PackView& v, std::uint32_t first_replica, std::size_t apart,
                                         const Traversal& traversal, const Path& path, std::uint32_t odd_x) {
    const std::ptrdiff_t stride = traversal.step_stride;
    const std::size_t start = static_cast<std::size_t>(first_replica) * v.sites + path.index +
                              std::size_t{path.begin} * traversal.step_stride;
    const std::uint32_t* at[PARITIES][2];  // of even and odd steps
#pragma unroll
    for (std::uint32_t x = 0; x < PARITIES; ++x) {
      const std::uint32_t parity = (traversal.origin + path.line + odd_x + x) & 1u;
      at[x][0] = v.spins(parity) + start;
      at[x][1] = v.spins(1 - parity) + start + stride;
    }
    const auto count = [&](std::uint32_t steps) {
      std::uint32_t words[PARITIES][R][8] = {};
#pragma unroll
      for (std::uint32_t k = 0; k < 8; ++k) {
        if (k >= steps) break;
#pragma unroll
        for (int x = 0; x < PARITIES; ++x) {
#pragma unroll
          for (int r = 0; r < R; ++r) words[x][r][k] = at[x][k & 1][static_cast<std::size_t>(r) * apart];
          at[x][k & 1] += 2 * stride;
        }
      }
#pragma unroll
      for (int x = 0; x < PARITIES; ++x) add(words[x], x);
    };
    std::uint32_t step = path.begin;
    for (; step + 8 <= path.end; step += 8) count(8);
    if (step < path.end) count(path.end - step);
  }

 private:
  __device__ __forceinline__ void add(const std::uint32_t (&words)[R][8], int x) {
    if constexpr (PAIRS) {
      int field = 0;
#pragma unroll
      for (int a = 0; a < R; ++a)
#pragma unroll
        for (int b = a + 1; b < R; ++b) {
          std::uint32_t unlike[8];
#pragma unroll
          for (int k = 0; k < 8; ++k) unlike[k] = words[a][k] ^ words[b][k];
          of[field++][x].template add<1>(unlike);
        }
    } else {
#pragma unroll
      for (int r = 0; r < R; ++r) of[r][x].template add<1>(words[r]);
    }
  }
};

/// The counts of the threads of a warp as bytes, [x odd][thread][word]; byte k of word i is that of sample i + 8 k.
/// With nine words per thread, threads and samples are in different banks.
struct WarpBytes {
  std::uint32_t words[2][32][9];

  __device__ __forceinline__ int count(std::uint32_t odd, std::uint32_t thread, std::uint32_t sample) const {
    return reinterpret_cast<const std::uint8_t*>(words[odd][thread])[4 * (sample & 7u) + (sample >> 3)];
  }
};

/// Adds the counts of one warp to the planes of its field; thread s adds those of sample s. PARITIES, `odd_x`: as
/// FieldCounts.
template <int PARITIES>
__device__ __forceinline__ void add_planes(const WarpBytes& bytes, const Traversal& traversal,
                                           const WarpTraversal& warp, std::uint32_t odd_x, const CountRows& rows,
                                           std::uint32_t field, int* counts) {
  const std::uint32_t s = threadIdx.x & 31u;
  for (std::uint32_t l = 0; traversal.line_axis >= 0 && l < warp.lines; ++l) {
    int sum = 0;
#pragma unroll 4
    for (std::uint32_t t = l * warp.width; t < l * warp.width + warp.columns; ++t)
#pragma unroll
      for (std::uint32_t x = 0; x < PARITIES; ++x) sum += bytes.count(x, t, s);
    const auto axis = static_cast<std::uint32_t>(traversal.line_axis);
    atomicAdd(counts + 32 * rows.plane(field, axis, warp.first_line + l) + s, sum);
  }
  int* plane = counts + 32 * rows.plane(field, 0, 2 * warp.first_column + odd_x) + s;
  for (std::uint32_t c = 0; traversal.columns_are_planes && c < warp.columns; ++c, plane += 64) {
    int sum[PARITIES] = {};
#pragma unroll 1
    for (std::uint32_t t = c; t < warp.lines * warp.width; t += warp.width)
#pragma unroll
      for (std::uint32_t x = 0; x < PARITIES; ++x) sum[x] += bytes.count(x, t, s);
#pragma unroll
    for (int x = 0; x < PARITIES; ++x) atomicAdd(plane + 32 * x, sum[x]);
  }
}

/// Counts the fields of R replicas along a warp traversal. `field`: the first of them.
template <int R, bool PAIRS, int PARITIES>
__device__ __forceinline__ void count_fields(const PackView& v, std::uint32_t first_replica, std::size_t apart,
                                             const Traversal& traversal, const WarpTraversal& warp, std::uint32_t odd_x,
                                             const CountRows& rows, std::uint32_t field, int* counts,
                                             WarpBytes& bytes) {
  using Counts = FieldCounts<R, PAIRS, PARITIES>;
  const std::uint32_t thread = threadIdx.x & 31u;
  Counts count(v, first_replica, apart, traversal, Path(traversal, warp, thread), odd_x);
#pragma unroll
  for (int f = 0; f < Counts::fields; ++f) {
#pragma unroll
    for (int x = 0; x < PARITIES; ++x) planes_to_bytes(count.of[f][x].plane);
    __syncwarp();  // the bytes of the last field have been read
#pragma unroll
    for (int x = 0; x < PARITIES; ++x)
#pragma unroll
      for (int i = 0; i < 8; ++i) bytes.words[x][thread][i] = count.of[f][x].plane[i];
    __syncwarp();
    add_planes<PARITIES>(bytes, traversal, warp, odd_x, rows, field + static_cast<std::uint32_t>(f), counts);
  }
}

/// Counts the fields of one role of CountItems. R: see with_replicas_together().
template <int R>
__device__ __forceinline__ void count_role(const PackView& v, const Traversal& traversal, const WarpTraversal& warp,
                                           std::uint32_t role, const CountRows& rows, int* counts, WarpBytes& bytes) {
  if constexpr (R > 0) {
    if (role < 2 && rows.spins > 0)
      count_fields<R, false, 1>(v, 0, v.sites, traversal, warp, role & 1u, rows, 0, counts, bytes);
    else
      count_fields<R, true, 1>(v, 0, v.sites, traversal, warp, role & 1u, rows, rows.spins, counts, bytes);
  } else if (role < rows.spins) {
    count_fields<1, false, 2>(v, role, v.sites, traversal, warp, 0, rows, role, counts, bytes);
  } else {
    const Pair pair = Pair::number(role - rows.spins, rows.replicas);
    count_fields<2, true, 2>(v, pair.a, std::size_t{pair.b - pair.a} * v.sites, traversal, warp, 0, rows, role, counts,
                             bytes);
  }
}

/// Counts -1 spins and unsatisfied bonds along a path of the traversal along the last axis. A site counts the bonds to
/// its neighbours at x + 1, one step ahead and, in three dimensions, at y + 1.
template <class T>
struct PathTotals {
  static constexpr int D = T::dimension;
  Counter<9> minus;
  Counter<11> unsatisfied;

  __device__ __forceinline__ PathTotals(const PackView& v, const Traversal& traversal, const Path& path,
                                        std::uint32_t L) {
    if (path.begin == path.end) return;
    const std::uint32_t parity = (traversal.origin + path.line) & 1u,
                        index = path.index + path.begin * traversal.step_stride;
    const std::uint32_t* spins[2] = {v.spins(parity) + index, v.spins(1 - parity) + index};
    const std::uint32_t* couplings[2] = {v.couplings(parity) + index, v.couplings(1 - parity) + index};
    const StepsToNeighbours to(traversal, path, L);
    std::uint32_t even = *spins[0], odd = *spins[1], step = path.begin;
    const auto count = [&](std::uint32_t steps) {
      std::uint32_t words[8] = {}, bonds[8 * D] = {};
#pragma unroll
      for (std::uint32_t k = 0; k < 4; ++k) {
        if (k >= steps) break;
        words[2 * k] = even;
        words[2 * k + 1] = odd;
        const bool last = traversal.closed && k + 1 == steps && step + steps == traversal.steps;
        const std::ptrdiff_t ahead = last ? to.ahead - to.ahead * traversal.steps : to.ahead;  // back to the first step
        bonds_of_step(spins[k & 1], spins[1 - (k & 1)], couplings[k & 1], couplings[1 - (k & 1)], v.sites, to, ahead,
                      even, odd, bonds + 2 * D * k);
      }
      minus.template add<1>(words);
      unsatisfied.template add<D>(bonds);
    };
    for (; step + 4 <= path.end; step += 4) count(4);
    if (step < path.end) count(path.end - step);
  }

 private:
  /// The bonds of the sites at even and odd x. `even` and `odd` are their spins and become those of the next step.
  /// Advances the pointers to the words stored with the sites at even x (evens, even_J) and odd x, which then swap
  /// roles.
  __device__ __forceinline__ static void bonds_of_step(const std::uint32_t*& evens, const std::uint32_t*& odds,
                                                       const std::uint32_t*& even_J, const std::uint32_t*& odd_J,
                                                       std::ptrdiff_t sites, const StepsToNeighbours& to,
                                                       std::ptrdiff_t ahead, std::uint32_t& even, std::uint32_t& odd,
                                                       std::uint32_t* bond) {
    const auto J = [&](const std::uint32_t* at, int mu) { return T::has_couplings ? at[mu * sites] : 0u; };
    bond[0] = xor3(even, odd, J(even_J, 0));
    bond[1] = xor3(odd, evens[to.right], J(odd_J, 0));
    if constexpr (D == 3) {
      bond[2 * D - 2] = xor3(even, odds[to.up], J(even_J, 1));
      bond[2 * D - 1] = xor3(odd, evens[to.up], J(odd_J, 1));
    }
    evens += ahead;
    odds += ahead;
    const std::uint32_t next_even = *odds, next_odd = *evens;
    bond[2] = xor3(even, next_even, J(even_J, D - 1));
    bond[3] = xor3(odd, next_odd, J(odd_J, D - 1));
    if constexpr (T::has_couplings) {
      even_J += to.ahead;
      odd_J += to.ahead;
    }
    even = next_even;
    odd = next_odd;
  }
};

/// The work of the warps that count one pack, in this order: totals of a replica along a warp traversal of the last
/// axis; then one role of a warp traversal along the first and along the second axis. A role is what a warp counts
/// together: the spins of all replicas, or all overlaps, at even or at odd x, if there are kernels for this number of
/// replicas; else one field.
struct CountItems {
  std::uint32_t totals, roles, first, second;

  template <int D>
  __host__ __device__ CountItems(const CountRows& rows, const Traversals<D>& traversals) {
    const std::uint32_t kinds = (rows.spins > 0 ? 1u : 0u) + (rows.pairs > 0 ? 1u : 0u);
    totals = traversals.last().warp_traversals() * rows.replicas;
    roles = are_together(rows.replicas) ? 2 * kinds : rows.fields();
    first = traversals.first.warp_traversals() * roles;
    second = traversals.second.warp_traversals() * roles;
  }
  __host__ __device__ static bool are_together(std::uint32_t replicas) { return replicas == 2 || replicas == 4; }
  __host__ __device__ std::uint32_t count() const { return totals + first + second; }
};

/// Traversals of some packs with work for `enough` warps, 15 on each multiprocessor of an H200: long ones of many
/// packs, which take fewer additions in memory, and short ones of few.
template <int D>
Traversals<D> traversals_for(const CountRows& rows, const Planes& planes, std::uint32_t packs,
                             std::uint64_t enough = 2048) {
  const Traversals<D> longest(rows.L, planes);
  const std::uint64_t warps = std::uint64_t{packs} * CountItems(rows, longest).count();
  if (warps >= enough) return longest;
  return Traversals<D>(rows.L, planes, static_cast<std::uint32_t>(rows.L * warps / enough));
}

/// Does the work of one warp, number `item` of CountItems. `counts`: the rows of the pack. R: see
/// with_replicas_together().
template <class T, int R, class Job>
__device__ __forceinline__ void count_item(const Job& job, std::uint32_t pack,
                                           const Traversals<T::dimension>& traversals, const CountItems& items,
                                           std::uint32_t item, int* counts, WarpBytes& bytes) {
  constexpr int D = T::dimension;
  const CountRows& rows = job.rows;
  if (item < items.totals) {
    const Traversal& traversal = traversals.last();
    const std::uint32_t number = item / rows.replicas, r = item - number * rows.replicas;
    const Path path(traversal, WarpTraversal(traversal, number), threadIdx.x);
    const PathTotals<T> count(job.template view<D>(pack, r), traversal, path, rows.L);
    atomicAdd(counts + 32 * rows.minus_spins(r) + threadIdx.x, sum_over_warp(count.minus));
    atomicAdd(counts + 32 * rows.unsatisfied_bonds(r) + threadIdx.x, sum_over_warp(count.unsatisfied));
    return;
  }
  item -= items.totals;
  const bool second = item >= items.first;
  const Traversal& traversal = second ? traversals.second : traversals.first;
  if (second) item -= items.first;
  const std::uint32_t number = item / items.roles;
  count_role<R>(job.template view<D>(pack, 0), traversal, WarpTraversal(traversal, number), item - number * items.roles,
                rows, counts, bytes);
}

inline constexpr std::uint32_t count_warps = 4;  ///< of a block of count_kernel

/// Counts of all samples of a pack. Grid (warps of CountItems / count_warps, packs), block (32, count_warps). Job:
/// CountJob, or another with its members.
template <class T, int R, class Job>
__global__ void __launch_bounds__(32 * count_warps)
    count_kernel(const __grid_constant__ Job job, const __grid_constant__ Traversals<T::dimension> traversals) {
  __shared__ WarpBytes bytes[count_warps];
  const CountItems items(job.rows, traversals);
  const std::uint32_t item = blockIdx.x * count_warps + threadIdx.y;
  if (item < items.count())
    count_item<T, R>(job, job.first_pack + blockIdx.y, traversals, items, item, job.counts_of(blockIdx.y),
                     bytes[threadIdx.y]);
}

/// Calls f.template operator()<R>(): two or four replicas whose fields are counted together, else 0.
template <class F>
void with_replicas_together(std::uint32_t replicas, F f) {
  if (!CountItems::are_together(replicas)) return f.template operator()<0>();
  if (replicas == 2) return f.template operator()<2>();
  f.template operator()<4>();
}

}  // namespace psflip::cuda
