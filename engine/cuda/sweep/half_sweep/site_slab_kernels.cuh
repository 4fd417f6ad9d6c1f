#pragma once
#include "engine/cuda/device/assembly.cuh"
#include "engine/cuda/update/site_update.cuh"
#include "engine/cuda/update/slab_rows.hpp"
#include "engine/cuda/update/thread_of_lattice.cuh"

/// Half sweeps of the rows of one rank of square lattices with packed sites.
namespace psflip::cuda {

/// The decision for rows whose number may be L or more: their random numbers are those of row y - L.
template <class Decision>
struct SlabDecision : Decision {
  std::uint32_t lattice_words;  ///< of one parity of the full lattice

  __device__ __forceinline__ std::uint32_t address(std::uint32_t word_index) const {
    return word_index < lattice_words ? word_index : word_index - lattice_words;
  }

  template <int N>
  __device__ __forceinline__ typename Decision::template Drawn<N> draw(const SiteSweep& s,
                                                                       const std::uint32_t (&word_index)[N]) const {
    std::uint32_t addresses[N];
#pragma unroll
    for (int k = 0; k < N; ++k) addresses[k] = address(word_index[k]);
    return Decision::draw(s, addresses);
  }
};

/// One parity of the rows of a rank and the other parity, with pointers to row 0.
struct RowsOfSample {
  std::uint32_t* mine;
  const std::uint32_t* other;
  SiteSweep sweep;

  __device__ __forceinline__ RowsOfSample(std::uint32_t* spins, const SiteLayout& layout, const SlabRows& rows,
                                          std::uint32_t sample, std::uint32_t half_sweep)
      : mine(rows.from_row_0(layout.lattice(spins, sample) + (half_sweep & 1u) * layout.words())),
        other(rows.from_row_0(layout.lattice(spins, sample) + (1 - (half_sweep & 1u)) * layout.words())),
        sweep{half_sweep, layout.first_sample + sample} {}
};

/// One half sweep of the last of an odd number of rows. Grid (samples x blocks of a row), one thread per word.
template <class Decision>
__global__ void __launch_bounds__(128)
    single_row_kernel(std::uint32_t* spins, SiteLayout layout, const __grid_constant__ SlabRows rows,
                      std::uint32_t half_sweep, std::uint32_t blocks_of_row, const __grid_constant__ Decision decide) {
  const auto [sample, word] = ThreadOfLattice(blocks_of_row);
  if (word >= rows.words) return;
  const std::uint32_t y = rows.y(rows.begin + rows.count - 1), word_index = y * rows.words + word;
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
    paired_rows_kernel(std::uint32_t* spins, SiteLayout layout, const __grid_constant__ SlabRows rows,
                       std::uint32_t half_sweep, std::uint32_t blocks_of_lattice,
                       const __grid_constant__ Decision decide) {
  __shared__ std::uint32_t size;
  const UndecidedQueue queue{reinterpret_cast<Undecided*>(shared_memory()), &size};
  if (threadIdx.x == 0) size = 0;
  __syncthreads();
  const auto [sample, number] = ThreadOfLattice(blocks_of_lattice);
  const std::uint32_t row_group = number / rows.words, before = row_group * layout.rows;
  const auto [mine, other, s] = RowsOfSample(spins, layout, rows, sample, half_sweep);
  if (before < rows.paired()) {
    const WordColumn word_column{number - row_group * rows.words, rows.y(rows.begin + before),
                                 min(layout.rows, rows.paired() - before), false};
    sweep_word_column<SHIFT>(mine, other, layout.L, word_column, s, decide, queue);
  }
  __syncthreads();
  resolve(queue, mine, rows.words, s, decide);
}

}  // namespace psflip::cuda
