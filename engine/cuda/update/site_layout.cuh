#pragma once
#include "engine/cuda/update/site_update.cuh"

// Memory of square lattices with packed sites: spins[sample][parity][y][word].
namespace psflip::cuda {

/// Consecutive lattices in memory and the distribution of a half sweep of one lattice over threads.
struct SiteLayout {
  std::uint32_t L;
  std::uint32_t rows;  ///< of a thread's word column, even, a divisor of L
  std::uint64_t first_sample;
  std::uint32_t stored = L;  ///< rows in memory
  std::uint32_t first = 0;   ///< y of the first stored row

  __host__ __device__ std::uint32_t words_in_row() const { return L / 64; }
  __host__ __device__ std::uint32_t words() const { return stored * words_in_row(); }  ///< of one parity
  __host__ __device__ std::uint32_t word_columns() const { return words_in_row() * (L / rows); }
  __device__ WordColumn word_column(std::uint32_t number) const {
    const std::uint32_t row_group = number / words_in_row();
    return {number - row_group * words_in_row(), row_group * rows, rows};
  }
  template <class Word>
  __device__ Word* lattice(Word* spins, std::uint32_t sample) const {
    return spins + std::size_t{2} * words() * sample;
  }
};

constexpr std::uint32_t site_threads = 128, longest_word_column = 16;

/// Random spins at half sweep 0. Grid (samples x blocks of a lattice), one thread per word.
static __global__ void fill_sites_kernel(std::uint32_t* spins, SiteLayout layout, Key key,
                                         std::uint32_t blocks_of_lattice) {
  const std::uint32_t sample = blockIdx.x / blocks_of_lattice, block = blockIdx.x - sample * blocks_of_lattice;
  const std::uint32_t word_index = block * blockDim.x + threadIdx.x;
  if (word_index >= layout.words()) return;
  std::uint32_t* lattice = layout.lattice(spins, sample);
  const std::uint32_t W = layout.words_in_row(), address = (layout.first * W + word_index) % (layout.L * W);
  for (std::uint32_t parity = 0; parity < 2; ++parity)
    lattice[parity * layout.words() + word_index] =
        numbers_at(key, address, parity, layout.first_sample + sample, 0, 0).x[0];
}

}  // namespace psflip::cuda
