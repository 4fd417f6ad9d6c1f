#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/update/site_update.cuh"
#include "engine/cuda/update/slab_rows.hpp"
#include "engine/cuda/update/thread_of_lattice.cuh"

/// Half sweeps of the rows of one rank of square lattices with packed sites.
namespace psflip::cuda {

/// One parity of the rows of a rank, addressed as if the full lattice were stored, and the other parity.
struct RowsOfSample {
  std::uint32_t* mine;
  const std::uint32_t* other;
  SiteSweep sweep;

  __device__ __forceinline__ RowsOfSample(std::uint32_t* spins, const SiteLayout& layout, const SlabRows& rows,
                                          std::uint32_t sample, std::uint32_t half_sweep)
      : mine(rows.as_full_lattice(layout.lattice(spins, sample) + (half_sweep & 1u) * layout.words())),
        other(rows.as_full_lattice(layout.lattice(spins, sample) + (1 - (half_sweep & 1u)) * layout.words())),
        sweep{half_sweep, layout.first_sample + sample} {}
};

/// One half sweep of the rows that are updated one by one. Grid (samples x blocks of a lattice), one thread per word.
template <class Decision>
__global__ void __launch_bounds__(128)
    single_rows_kernel(std::uint32_t* spins, SiteLayout layout, std::uint32_t half_sweep,
                       std::uint32_t blocks_of_lattice, const __grid_constant__ Decision decide) {
  const SlabRows rows(layout);
  const auto [sample, number] = ThreadOfLattice(blocks_of_lattice);
  const std::uint32_t k = number / rows.words;
  if (k >= rows.singles()) return;
  const std::uint32_t word = number - k * rows.words, y = rows.y(rows.single(k)), word_index = y * rows.words + word;
  const auto [mine, other, s] = RowsOfSample(spins, layout, rows, sample, half_sweep);
  const std::uint32_t* row = other + y * rows.words;
  const int W = static_cast<int>(rows.words), w = static_cast<int>(word);
  const bool shift = ((y + half_sweep) & 1u) != 0;
  const std::uint32_t adjacent = row[shift ? (w + 1 == W ? 0 : w + 1) : (w == 0 ? W - 1 : w - 1)];
  std::uint32_t spin[1] = {mine[word_index]}, equal[1], ones[1];
  const std::uint32_t bond[1][4] = {
      {spin[0] ^ row[w - W], spin[0] ^ row[w + W], spin[0] ^ row[w], spin[0] ^ to_the_side(row[w], adjacent, shift)}};
  decide(decide.template draw<1>(s, {word_index}), bond, spin, equal, ones);
  mine[word_index] = spin[0];
  Undecided u{word_index, {equal[0], 0}, {ones[0], 0}};
  bool left = equal[0] != 0;
  while (left) left = decide_lowest(u, mine, rows.words, s, decide);
}

/// One half sweep of the rows in pairs. A thread's word column has layout.rows of them; the last one may have fewer.
/// SHIFT is the shift of the first of these rows. Grid (samples x blocks of a lattice).
template <int SHIFT, class Decision>
__global__ void __launch_bounds__(site_threads, 1024 / site_threads)
    paired_rows_kernel(std::uint32_t* spins, SiteLayout layout, std::uint32_t half_sweep,
                       std::uint32_t blocks_of_lattice, const __grid_constant__ Decision decide) {
  __shared__ std::uint32_t size;
  const UndecidedQueue queue{reinterpret_cast<Undecided*>(shared_memory()), &size};
  if (threadIdx.x == 0) size = 0;
  __syncthreads();
  const SlabRows rows(layout);
  const auto [sample, number] = ThreadOfLattice(blocks_of_lattice);
  const std::uint32_t row_group = number / rows.words, before = row_group * layout.rows;
  const auto [mine, other, s] = RowsOfSample(spins, layout, rows, sample, half_sweep);
  if (before < rows.paired()) {
    const WordColumn word_column{number - row_group * rows.words, rows.y(2 + before),
                                 min(layout.rows, rows.paired() - before), false};
    sweep_word_column<SHIFT>(mine, other, layout.L, word_column, s, decide, queue);
  }
  __syncthreads();
  resolve(queue, mine, rows.words, s, decide);
}

}  // namespace psflip::cuda
