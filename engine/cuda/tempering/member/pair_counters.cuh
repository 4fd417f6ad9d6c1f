#pragma once
#include <cstdint>

#include "engine/cuda/measure/bit_counter.cuh"

/// Counts of a measurement of four sets of replicas by one thread block, of all samples of a pack. A thread counts
/// along lines of the lattice, in bit-sliced counters, and the lines of a plane are added up in them too: a conversion
/// to integers takes longer than to count the words of a short line.
namespace psflip::cuda {

inline constexpr int measured_sets = 4, measured_pairs = 6;  ///< of kernels that measure in shared memory

/// Calls f(number of the pair, a, b) for all pairs of sets, in the order of Pair.
template <class F>
__device__ __forceinline__ void for_each_pair(F f) {
  int pair = 0;
#pragma unroll
  for (int a = 0; a < measured_sets; ++a)
#pragma unroll
    for (int b = a + 1; b < measured_sets; ++b) f(pair++, a, b);
}

/// Where the sets of each pair differ, in bit-sliced counters of one thread.
template <int BITS>
struct PairCounters {
  Counter<BITS> of[measured_pairs];

  template <int N>
  __device__ __forceinline__ void add(const std::uint32_t (&word)[measured_sets][N]) {
    for_each_pair([&](int pair, int a, int b) {
      std::uint32_t differ[N];
#pragma unroll
      for (int i = 0; i < N; ++i) differ[i] = word[a][i] ^ word[b][i];
      of[pair].add_words(differ);
    });
  }
};

/// Integers of each sample of the pack, in shared memory.
struct MeasuredTotals {
  int minus[measured_sets][32];   ///< -1 spins
  int links[measured_pairs][32];  ///< bonds that differ between the sets of a pair

  /// All threads of the block, before a barrier.
  __device__ __forceinline__ void clear() {
    for (std::uint32_t i = threadIdx.x; i < sizeof *this / sizeof(int); i += blockDim.x)
      reinterpret_cast<int*>(this)[i] = 0;
  }
  /// Adds the counters of all threads of a warp to the totals of each sample.
  template <int BITS>
  __device__ __forceinline__ static void add(int (&totals)[32], const Counter<BITS>& counter) {
    atomicAdd(&totals[threadIdx.x & 31u], sum_over_warp(counter));
  }
};

/// Calls f(axis, position, count) for counters of BITS words, [axis][position]. Each thread of a warp gets the counts
/// of one sample.
template <int AXES, int BITS, class F>
__device__ __forceinline__ void for_each_count(const std::uint32_t* counters, std::uint32_t positions, F f) {
  constexpr std::uint32_t at_once = 32 / BITS;
  const BitTranspose transpose;
  const std::uint32_t lane = threadIdx.x & 31u;
#pragma unroll
  for (int axis = 0; axis < AXES; ++axis, counters += positions * BITS)
    for (std::uint32_t first = 0; first < positions; first += at_once) {
      const bool exists = lane < at_once * BITS && first * BITS + lane < positions * BITS;
      const std::uint32_t counts = transpose(exists ? counters[first * BITS + lane] : 0u);
#pragma unroll
      for (std::uint32_t i = 0; i < at_once; ++i)
        if (first + i < positions) f(axis, first + i, static_cast<int>(counts >> (i * BITS) & ((1u << BITS) - 1u)));
    }
}

}  // namespace psflip::cuda
