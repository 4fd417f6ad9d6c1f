#pragma once
#include "engine/core/vertical_counter.hpp"
#include "engine/cuda/measure/site_words.hpp"
#include "engine/cuda/update/thread_of_lattice.cuh"

/// Measurement of square lattices with packed sites. In a row, `even` is the word of the sites x = 2 (32 word + bit)
/// and `odd` that of x = 2 (32 word + bit) + 1, whatever their parity.
namespace psflip::cuda {

constexpr int site_sum_count = sizeof(SiteSums) / sizeof(long long);

struct ColumnCounts {
  static constexpr int levels = 7;
  std::uint32_t level[levels] = {};

  __device__ __forceinline__ void add(const std::uint32_t (&words)[9]) {
    std::uint32_t carry = add_eight(level, [&](int k) { return words[k]; });
#pragma unroll
    for (int l = 3; l < levels; ++l) {
      const std::uint32_t next = level[l] & carry;
      level[l] ^= carry;
      carry = next;
    }
  }

  /// Adds the counts of all columns times their cosines and sines. Four counts at a time, one in each byte.
  __device__ __forceinline__ void reduce(const int2* column, std::uint32_t words_in_row, SiteSums& sums) const {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      std::uint32_t bytes = 0;
#pragma unroll
      for (int l = 0; l < levels; ++l) bytes += ((level[l] >> j) & 0x01010101u) << l;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const auto count = static_cast<int>((bytes >> (8 * i)) & 0xffu);
        const int2 factor = column[std::size_t{2} * (j + 8 * i) * words_in_row];
        sums.re[0] += static_cast<long long>(count) * factor.x;
        sums.im[0] += static_cast<long long>(count) * factor.y;
      }
    }
  }
};

/// Adds one row of a word column: the bonds between its sites and to the next word `next_even`, its spins -1 and their
/// Fourier component along y.
__device__ __forceinline__ void add_row(std::uint32_t even, std::uint32_t odd, std::uint32_t next_even, int2 factor,
                                        SiteSums& sums) {
  const std::uint32_t right = __funnelshift_r(even, next_even, 1);
  sums.unsatisfied += __popc(even ^ odd) + __popc(odd ^ right);
  const int minus = __popc(even) + __popc(odd);
  sums.minus += minus;
  sums.re[1] += static_cast<long long>(minus) * factor.x;
  sums.im[1] += static_cast<long long>(minus) * factor.y;
}

/// Counts of the even and the odd columns of a word column.
struct WordColumnCounts {
  ColumnCounts parity[2];

  __device__ __forceinline__ void add(const std::uint32_t (&even)[9], const std::uint32_t (&odd)[9]) {
    parity[0].add(even);
    parity[1].add(odd);
  }
  __device__ __forceinline__ void reduce(const SiteTables& tables, std::uint32_t words_in_row, std::uint32_t word,
                                         SiteSums& sums) const {
#pragma unroll
    for (std::uint32_t s = 0; s < 2; ++s) parity[s].reduce(tables.column + s * words_in_row + word, words_in_row, sums);
  }
};

/// Counts one word column; `lattice` holds both parities.
__device__ __forceinline__ void count_word_column(const std::uint32_t* lattice, const SiteLayout& layout,
                                                  const WordColumn& word_column, const SiteTables& tables,
                                                  SiteSums& sums) {
  const std::uint32_t W = layout.words_in_row(), words = layout.words(), L = layout.L;
  const std::uint32_t adjacent = word_column.word + 1 == W ? 0 : word_column.word + 1;
  WordColumnCounts columns;
  for (std::uint32_t first = word_column.first_row; first < word_column.first_row + word_column.rows; first += 8) {
    std::uint32_t even[9], odd[9];  // the ninth belongs to the row below, for the bonds to it
#pragma unroll
    for (std::uint32_t k = 0; k < 9; ++k) {
      const std::uint32_t y = k == 8 && first + 8 == L ? 0 : first + k;
      const std::uint32_t *even_row = lattice + (k & 1u) * words + y * W,
                          *odd_row = lattice + (1 - (k & 1u)) * words + y * W;
      even[k] = even_row[word_column.word];
      odd[k] = odd_row[word_column.word];
      if (k == 8) continue;
      add_row(even[k], odd[k], even_row[adjacent], tables.row[y], sums);
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) sums.unsatisfied += __popc(even[k] ^ even[k + 1]) + __popc(odd[k] ^ odd[k + 1]);
    columns.add(even, odd);
  }
  columns.reduce(tables, W, word_column.word, sums);
}

constexpr std::uint32_t counting_threads = 128;

/// Adds the sums of the threads of a block to `out`.
__device__ __forceinline__ void add_sums(const SiteSums& sums, SiteSums* out) {
  __shared__ long long partial[counting_threads / 32][site_sum_count];
  long long values[site_sum_count] = {sums.unsatisfied, sums.minus, sums.re[0], sums.re[1], sums.im[0], sums.im[1]};
#pragma unroll
  for (int i = 0; i < site_sum_count; ++i) {
#pragma unroll
    for (int step = 16; step > 0; step >>= 1) values[i] += __shfl_down_sync(0xffffffffu, values[i], step);
    if ((threadIdx.x & 31u) == 0) partial[threadIdx.x >> 5][i] = values[i];
  }
  __syncthreads();
  if (threadIdx.x >= site_sum_count) return;
  long long total = 0;
  for (std::uint32_t warp = 0; warp < blockDim.x / 32; ++warp) total += partial[warp][threadIdx.x];
  auto* sum = reinterpret_cast<unsigned long long*>(out) + threadIdx.x;
  atomicAdd(sum, static_cast<unsigned long long>(total));  // the sum modulo 2^64 is right for negative numbers, too
}

/// Adds the sums of every lattice to out[sample]. Grid (samples x blocks of a lattice), one thread per word column;
/// blockDim is a multiple of 32, at most counting_threads.
static __global__ void __launch_bounds__(counting_threads)
    site_sums_kernel(const std::uint32_t* spins, SiteLayout layout, SiteTables tables, std::uint32_t blocks_of_lattice,
                     SiteSums* out) {
  const auto [sample, number] = ThreadOfLattice(blocks_of_lattice);
  SiteSums sums{};
  if (number < layout.word_columns())
    count_word_column(layout.lattice(spins, sample), layout, layout.word_column(number), tables, sums);
  add_sums(sums, out + sample);
}

}  // namespace psflip::cuda
