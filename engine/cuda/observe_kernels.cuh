#pragma once
#include "engine/core/fourier.hpp"
#include "engine/cuda/bit_counter.cuh"
#include "engine/cuda/pack_view.cuh"
#include "engine/cuda/walk.cuh"

/// Measurements: threads count spins, overlaps and unsatisfied bonds along their walks in bit-sliced counters; integers
/// per sample add up in global memory (addition of integers has no order); a second kernel folds them.
namespace psflip::cuda {

/// The counts of one pack: rows of 32 integers, one for each sample.
struct CountRows {
  std::uint32_t L, dimension, replicas, fields;  ///< fields: overlaps in three dimensions, spins in two

  /// Set bits of a field in the plane x_axis = position.
  __host__ __device__ std::uint32_t plane(std::uint32_t field, std::uint32_t axis, std::uint32_t position) const {
    return (field * dimension + axis) * L + position;
  }
  __host__ __device__ std::uint32_t minus_spins(std::uint32_t replica) const { return plane(fields, 0, 0) + replica; }
  __host__ __device__ std::uint32_t unsatisfied_bonds(std::uint32_t replica) const {
    return minus_spins(replicas) + replica;
  }
  __host__ __device__ std::uint32_t count() const { return unsatisfied_bonds(replicas); }
};

/// Where a field finds its words: replica a, or its overlap with replica b = a + `other` / sites.
struct Field {
  std::uint32_t offset, other;

  /// Pairs in the order (0, 1), (0, 2), ..., (1, 2), ...; in two dimensions field 0 is the spins of replica 0.
  template <int D>
  __device__ static Field number(std::uint32_t f, std::uint32_t replicas, std::uint32_t sites) {
    if (D == 2) return {0, 0};
    std::uint32_t a = 0;
    for (; f >= replicas - 1 - a; ++a) f -= replicas - 1 - a;
    return {a * sites, (f + 1) * sites};
  }
  template <int D>
  __device__ __forceinline__ std::uint32_t operator()(const std::uint32_t* spins, std::uint32_t place) const {
    const std::uint32_t* here = spins + place;
    return D == 3 ? here[0] ^ here[other] : here[0];
  }
};

/// Counts a field along a path, at even and odd x.
template <int D>
__device__ __forceinline__ void count_field(const PackView& v, const Field& field, const Walk& walk, const Path& path,
                                            Counter<8>& even, Counter<8>& odd) {
  const std::uint32_t* first = v.spins(path.line & 1u) + field.offset;         // even x at even steps
  const std::uint32_t* second = v.spins(1 - (path.line & 1u)) + field.offset;  // even x at odd steps
  std::uint32_t step = path.begin, place = path.place + path.begin * walk.step_stride, words[2][8];
  for (; step + 8 <= path.end; step += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k, place += walk.step_stride) {
      words[k & 1][k] = field.operator()<D>(first, place);
      words[1 - (k & 1)][k] = field.operator()<D>(second, place);
    }
    even.add(words[0]);
    odd.add(words[1]);
  }
  if (step == path.end) return;
#pragma unroll
  for (int k = 0; k < 8; ++k, place += walk.step_stride) {
    words[k & 1][k] = step + k < path.end ? field.operator()<D>(first, place) : 0;
    words[1 - (k & 1)][k] = step + k < path.end ? field.operator()<D>(second, place) : 0;
  }
  even.add(words[0]);
  odd.add(words[1]);
}

/// The counts of the threads of a warp as bytes, [x odd][thread][word]; byte k of word i is that of sample i + 8 k.
/// Nine words a thread keep threads and samples in different banks.
using WarpBytes = std::uint32_t[2][32][9];

__device__ __forceinline__ int byte_of(const WarpBytes& bytes, std::uint32_t odd, std::uint32_t thread,
                                       std::uint32_t sample) {
  return static_cast<int>(bytes[odd][thread][sample & 7u] >> (sample & 24u) & 255u);
}

/// Adds the counts of one warp to the planes of its field; thread s adds those of sample s.
__device__ __forceinline__ void add_planes(const WarpBytes& bytes, const Walk& walk, const Tile& tile,
                                           const CountRows& rows, std::uint32_t field, int* counts) {
  const std::uint32_t s = threadIdx.x;
  for (std::uint32_t l = 0; walk.line_axis >= 0 && l < tile.lines; ++l) {
    int sum = 0;
    for (std::uint32_t t = l * tile.width; t < l * tile.width + tile.columns; ++t)
      sum += byte_of(bytes, 0, t, s) + byte_of(bytes, 1, t, s);
    const auto axis = static_cast<std::uint32_t>(walk.line_axis);
    atomicAdd(counts + 32 * rows.plane(field, axis, tile.first_line + l) + s, sum);
  }
  for (std::uint32_t c = 0; walk.columns_are_planes && c < tile.columns; ++c) {
    int even = 0, odd = 0;
    for (std::uint32_t l = 0; l < tile.lines; ++l) {
      even += byte_of(bytes, 0, l * tile.width + c, s);
      odd += byte_of(bytes, 1, l * tile.width + c, s);
    }
    int* plane = counts + 32 * rows.plane(field, 0, 2 * (tile.first_column + c)) + s;
    atomicAdd(plane, even);
    atomicAdd(plane + 32, odd);
  }
}

/// All fields of a tile, one after the other by each warp of the block.
template <int D>
__device__ __forceinline__ void count_planes(const PackView& v, const Walk& walk, const Tile& tile,
                                             const CountRows& rows, int* counts, WarpBytes& bytes) {
  const Path path(walk, tile, threadIdx.x);
  for (std::uint32_t f = threadIdx.y; f < rows.fields; f += blockDim.y) {
    Counter<8> even, odd;
    count_field<D>(v, Field::number<D>(f, rows.replicas, v.sites), walk, path, even, odd);
    planes_to_bytes(even.plane);
    planes_to_bytes(odd.plane);
    __syncwarp();  // the bytes of the last field have been read
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      bytes[0][threadIdx.x][i] = even.plane[i];
      bytes[1][threadIdx.x][i] = odd.plane[i];
    }
    __syncwarp();
    add_planes(bytes, walk, tile, rows, f, counts);
  }
}

/// Steps of a path along the last axis, up to four from `step` on: the spins and the unsatisfied bonds to the
/// neighbours at x + 1, (y + 1) and one step ahead. `even` and `odd` are the spins at this step and become those of the
/// next.
template <int D, bool WHOLE>
__device__ __forceinline__ void bonds_of_steps(const PackView& v, const Walk& walk, const Path& path,
                                               std::uint32_t step, int right, int up, std::uint32_t& even,
                                               std::uint32_t& odd, std::uint32_t* spins, std::uint32_t* bonds) {
#pragma unroll
  for (std::uint32_t k = 0; k < 4; ++k) {
    std::uint32_t *spin = spins + 2 * k, *bond = bonds + 2 * D * k;
    if (!WHOLE && step + k >= path.end) {
      spin[0] = spin[1] = 0;
      for (int b = 0; b < 2 * D; ++b) bond[b] = 0;
      continue;
    }
    const std::uint32_t parity = (path.line + k) & 1u;  // of the site at even x; `step` is even
    const std::uint32_t i = path.place + (step + k) * walk.step_stride;
    const std::uint32_t ahead = step + k + 1 == walk.steps ? path.place : i + walk.step_stride;
    const std::uint32_t *evens = v.spins(parity), *odds = v.spins(1 - parity);
    std::uint32_t J[2][3] = {};
    for (int mu = 0; D == 3 && mu < 3; ++mu) {
      J[0][mu] = v.couplings(parity)[mu * v.sites + i];
      J[1][mu] = v.couplings(1 - parity)[mu * v.sites + i];
    }
    const std::uint32_t next_even = odds[ahead], next_odd = evens[ahead];
    spin[0] = even;
    spin[1] = odd;
    bond[0] = xor3(even, odd, J[0][0]);
    bond[1] = xor3(odd, evens[i + right], J[1][0]);
    bond[2] = xor3(even, next_even, J[0][D - 1]);
    bond[3] = xor3(odd, next_odd, J[1][D - 1]);
    if (D == 3) {
      bond[2 * D - 2] = xor3(even, odds[i + up], J[0][1]);
      bond[2 * D - 1] = xor3(odd, evens[i + up], J[1][1]);
    }
    even = next_even;
    odd = next_odd;
  }
}

/// Counts -1 spins and unsatisfied bonds along a path.
template <int D>
__device__ __forceinline__ void count_bonds(const PackView& v, const Walk& walk, const Path& path, std::uint32_t L,
                                            Counter<9>& minus, Counter<11>& unsatisfied) {
  const int h = static_cast<int>(L / 2), around = (static_cast<int>(L) - 1) * h;
  const int right = static_cast<int>(path.column) + 1 == h ? 1 - h : 1, up = path.line + 1 == L ? -around : h;
  const std::uint32_t place = path.place + path.begin * walk.step_stride, parity = path.line & 1u;
  if (path.begin == path.end) return;
  std::uint32_t even = v.spins(parity)[place], odd = v.spins(1 - parity)[place];
  const auto count = [&](std::uint32_t step, auto whole) {
    std::uint32_t spins[8], bonds[8 * D];
    bonds_of_steps<D, decltype(whole)::value>(v, walk, path, step, right, up, even, odd, spins, bonds);
    minus.add(spins);
#pragma unroll
    for (int b = 0; b < 8 * D; b += 8) unsatisfied.add(bonds + b);
  };
  std::uint32_t step = path.begin;
  for (; step + 4 <= path.end; step += 4) count(step, std::true_type{});
  if (step < path.end) count(step, std::false_type{});
}

/// Counts of all samples of a pack. Grid (tiles, packs), tiles of the bonds first, then those of the walks of the
/// fields; block (32, warps), a warp takes every blockDim.y-th field or replica of its tile, so that spins and
/// couplings come from the L1 cache but once. counts[pack][row][sample], zero at the start.
template <int D>
__global__ void __launch_bounds__(256)
    count_kernel(std::uint32_t* spins, const std::uint32_t* couplings, Layout layout,
                 const __grid_constant__ Walks<D> walks, std::uint32_t first_pack, CountRows rows, int* counts) {
  __shared__ WarpBytes bytes[8];
  const std::uint32_t pack = first_pack + blockIdx.y;
  counts += static_cast<std::size_t>(blockIdx.y) * rows.count() * 32;
  std::uint32_t number = blockIdx.x;
  if (number < walks.last().tiles()) {
    const Walk& walk = walks.last();
    const Path path(walk, Tile(walk, number), threadIdx.x);
    for (std::uint32_t r = threadIdx.y; r < rows.replicas; r += blockDim.y) {
      Counter<9> minus;
      Counter<11> unsatisfied;
      count_bonds<D>(layout.view<D>(spins, couplings, pack, r), walk, path, rows.L, minus, unsatisfied);
      atomicAdd(counts + 32 * rows.minus_spins(r) + threadIdx.x, sum_over_warp(minus));
      atomicAdd(counts + 32 * rows.unsatisfied_bonds(r) + threadIdx.x, sum_over_warp(unsatisfied));
    }
    return;
  }
  number -= walks.last().tiles();
  const bool second = number >= walks.first.tiles();
  const Walk& walk = second ? walks.second : walks.first;
  if (second) number -= walks.first.tiles();
  const PackView v = layout.view<D>(spins, couplings, pack, 0);
  count_planes<D>(v, walk, Tile(walk, number), rows, counts, bytes[threadIdx.y]);
}

}  // namespace psflip::cuda
