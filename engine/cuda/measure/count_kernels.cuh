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

/// Counts a field along a path, at even and odd x: the words of replica a, or those of replicas a and b combined.
template <bool PAIR>
struct FieldCount {
  Counter<8> even, odd;

  __device__ __forceinline__ FieldCount(const PackView& v, const Pair& field, const Traversal& traversal,
                                        const Path& path) {
    const std::ptrdiff_t stride = traversal.step_stride;
    const std::uint32_t parity = (traversal.origin + path.line) & 1u;  // of the sites at even x and even steps
    const auto first = [&](std::uint32_t p, std::uint32_t replica) {
      return v.spins(p) + static_cast<std::size_t>(replica) * v.sites + path.index + path.begin * traversal.step_stride;
    };
    const std::uint32_t* words_of[2][2] = {{first(parity, field.a), first(parity, field.b)},
                                           {first(1 - parity, field.a), first(1 - parity, field.b)}};
    const auto next = [&](const std::uint32_t*(&at)[2]) {
      const std::uint32_t word = PAIR ? *at[0] ^ *at[1] : *at[0];
      at[0] += stride;
      at[1] += stride;
      return word;
    };
    const auto count = [&](std::uint32_t steps) {
      std::uint32_t words[2][8] = {};
#pragma unroll
      for (std::uint32_t k = 0; k < 8; ++k) {
        if (k >= steps) break;
        words[k & 1][k] = next(words_of[0]);
        words[1 - (k & 1)][k] = next(words_of[1]);
      }
      even.add<1>(words[0]);
      odd.add<1>(words[1]);
    };
    std::uint32_t step = path.begin;
    for (; step + 8 <= path.end; step += 8) count(8);
    if (step < path.end) count(path.end - step);
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

/// Adds the counts of one warp to the planes of its field; thread s adds those of sample s.
__device__ __forceinline__ void add_planes(const WarpBytes& bytes, const Traversal& traversal,
                                           const WarpTraversal& warp, const CountRows& rows, std::uint32_t field,
                                           int* counts) {
  const std::uint32_t s = threadIdx.x & 31u;
  for (std::uint32_t l = 0; traversal.line_axis >= 0 && l < warp.lines; ++l) {
    int sum = 0;
#pragma unroll 4
    for (std::uint32_t t = l * warp.width; t < l * warp.width + warp.columns; ++t)
      sum += bytes.count(0, t, s) + bytes.count(1, t, s);
    const auto axis = static_cast<std::uint32_t>(traversal.line_axis);
    atomicAdd(counts + 32 * rows.plane(field, axis, warp.first_line + l) + s, sum);
  }
  int* plane = counts + 32 * rows.plane(field, 0, 2 * warp.first_column) + s;
  for (std::uint32_t c = 0; traversal.columns_are_planes && c < warp.columns; ++c, plane += 64) {
    int even = 0, odd = 0;
#pragma unroll 1
    for (std::uint32_t t = c; t < warp.lines * warp.width; t += warp.width) {
      even += bytes.count(0, t, s);
      odd += bytes.count(1, t, s);
    }
    atomicAdd(plane, even);
    atomicAdd(plane + 32, odd);
  }
}

/// Counts one field of a warp traversal.
template <bool PAIR>
__device__ __forceinline__ void count_field(const PackView& v, const Pair& replicas, const Traversal& traversal,
                                            const WarpTraversal& warp, const Path& path, const CountRows& rows,
                                            std::uint32_t field, int* counts, WarpBytes& bytes) {
  FieldCount<PAIR> count(v, replicas, traversal, path);
  planes_to_bytes(count.even.plane);
  planes_to_bytes(count.odd.plane);
  __syncwarp();  // the bytes of the last field have been read
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    bytes.words[0][threadIdx.x & 31u][i] = count.even.plane[i];
    bytes.words[1][threadIdx.x & 31u][i] = count.odd.plane[i];
  }
  __syncwarp();
  add_planes(bytes, traversal, warp, rows, field, counts);
}

/// Counts all fields of a warp traversal; the warps of the block share the fields.
__device__ __forceinline__ void count_planes(const PackView& v, const Traversal& traversal, const WarpTraversal& warp,
                                             const CountRows& rows, int* counts, WarpBytes& bytes) {
  const Path path(traversal, warp, threadIdx.x);
  std::uint32_t f = threadIdx.y;
  for (; f < rows.spins; f += blockDim.y)
    count_field<false>(v, Pair{f, f}, traversal, warp, path, rows, f, counts, bytes);
  for (; f < rows.fields(); f += blockDim.y)
    count_field<true>(v, Pair::number(f - rows.spins, rows.replicas), traversal, warp, path, rows, f, counts, bytes);
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

/// Counts of all samples of a pack. Grid (warp traversals, packs), first those of the bonds, then those of the fields.
/// Block (32, warps): the warps of a block share the fields or replicas of one warp traversal, so that the L1 cache
/// holds the spins and couplings for all of them. Job: CountJob, or another with its members.
template <class T, class Job>
__global__ void __launch_bounds__(256, 3)
    count_kernel(const __grid_constant__ Job job, const __grid_constant__ Traversals<T::dimension> traversals) {
  constexpr int D = T::dimension;
  __shared__ WarpBytes bytes[8];
  const CountRows& rows = job.rows;
  const std::uint32_t pack = job.first_pack + blockIdx.y;
  int* counts = job.counts_of(blockIdx.y);
  std::uint32_t number = blockIdx.x;
  if (number < traversals.last().warp_traversals()) {
    const Traversal& traversal = traversals.last();
    const Path path(traversal, WarpTraversal(traversal, number), threadIdx.x);
    for (std::uint32_t r = threadIdx.y; r < rows.replicas; r += blockDim.y) {
      const PathTotals<T> count(job.template view<D>(pack, r), traversal, path, rows.L);
      atomicAdd(counts + 32 * rows.minus_spins(r) + threadIdx.x, sum_over_warp(count.minus));
      atomicAdd(counts + 32 * rows.unsatisfied_bonds(r) + threadIdx.x, sum_over_warp(count.unsatisfied));
    }
    return;
  }
  number -= traversals.last().warp_traversals();
  const bool second = number >= traversals.first.warp_traversals();
  const Traversal& traversal = second ? traversals.second : traversals.first;
  if (second) number -= traversals.first.warp_traversals();
  const PackView v = job.template view<D>(pack, 0);
  count_planes(v, traversal, WarpTraversal(traversal, number), rows, counts, bytes[threadIdx.y]);
}

}  // namespace psflip::cuda
