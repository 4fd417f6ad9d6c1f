#pragma once
#include "engine/laboratory/heisenberg/lattice.hpp"

/// What a thread block of the 2D Heisenberg model does, for nvcc and for the emulator of CUDA of the tests.
namespace psflip::laboratory::device {

inline constexpr int threads_of_sums = 256;

/// All hits of one tile in the shared memory of its block; blocks are pairs of tiles along x and rows of tiles along y.
template <class Math, bool CONE, class Real = typename Math::Real>
__device__ void update_tile_of_block(const HeisenbergStep<Real>& step, Real* shared, int parity, std::uint32_t round) {
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  SpinTile<Real> tile = step.tile(shared, static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y), parity);
  tile.load(step.lattice, thread, threads);
  for (int half = 0; half < 2 * step.hits; ++half) {
    __syncthreads();
    step.template try_half<Math, CONE>(tile, half, thread, threads, round);
  }
  __syncthreads();
  tile.store(step.lattice, thread, threads);
}

/// The sums of the rows y = block, block + blocks, ...; `of_threads` has threads_of_sums entries in shared memory.
template <class Real>
__device__ void sum_rows_of_block(const SpinArrays<Real>& lattice, SpinSums* of_threads, int blocks, SpinSums* sums) {
  const int thread = static_cast<int>(threadIdx.x), block = static_cast<int>(blockIdx.x);
  SpinSums mine{};
  for (int y = block; y < lattice.L; y += blocks)
    for (int x = thread; x < lattice.L; x += threads_of_sums) mine.add(sums_of_site(lattice, x, y));
  of_threads[thread] = mine;
  for (int half = threads_of_sums / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) of_threads[thread].add(of_threads[thread + half]);
  }
  if (thread == 0) sums[block] = of_threads[0];
}

}  // namespace psflip::laboratory::device
