#include "engine/laboratory/device/square_kernels.hpp"

#include <mma.h>

#include "engine/cuda/device/check.hpp"

namespace psflip::laboratory::device {

namespace {

constexpr unsigned threads_per_block = 256, warp_size = 32;
constexpr int most_rows = 65535;            ///< of a grid
constexpr unsigned most_blocks = 132 * 32;  ///< of the grid of the products; a warp takes several blocks of 16 x 16

/// A thread for each column, rows along y.
dim3 grid_of(int columns, int rows) {
  return {(static_cast<unsigned>(columns) + threads_per_block - 1) / threads_per_block,
          static_cast<unsigned>(rows < most_rows ? rows : most_rows), 1};
}

/// f(y, column) for the rows of this thread.
template <class F>
__device__ __forceinline__ void for_each_row(int columns, int rows, F f) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (column >= columns) return;
  for (int y = static_cast<int>(blockIdx.y); y < rows; y += static_cast<int>(gridDim.y)) f(y, column);
}

__device__ __forceinline__ std::size_t thread_index() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

unsigned blocks_for(std::size_t threads) {
  return static_cast<unsigned>((threads + threads_per_block - 1) / threads_per_block);
}

template <class T>
__global__ void fill_kernel(T* all, std::size_t count, T value) {
  for (std::size_t i = thread_index(); i < count; i += std::size_t{gridDim.x} * blockDim.x) all[i] = value;
}

/// Index of the first entry of a row of `columns` entries.
__device__ __forceinline__ std::size_t row_begin(int row, int columns) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns);
}

template <class Numbers>
__global__ void random_kernel(std::uint32_t* random, RowRange rows, std::uint64_t half_sweep, Numbers numbers) {
  const int L = rows.L;
  for_each_row((L / 2 + 3) / 4, rows.count, [&](int row, int group) {
    fill_four(random + row_begin(row, L / 2), rows.first + row, 4 * group, half_sweep, L, numbers);
  });
}

template <class U, class Rule>
__global__ void __launch_bounds__(threads_per_block, 8)
    bytes_kernel(std::int8_t* mine, const std::int8_t* __restrict__ other, const std::int8_t* __restrict__ above,
                 const std::int8_t* __restrict__ below, const U* __restrict__ random, int parity, RowRange rows,
                 Rule rule) {
  const int columns = rows.L / 2;
  const Slab<std::int8_t> slab{other, above, below};
  for_each_row(columns, rows.count, [&](int row, int j) {
    const std::size_t at = row_begin(row, columns) + static_cast<std::size_t>(j);
    mine[at] = updated_spin(mine[at], rows_around(slab, row, rows.count, columns), random[at], parity, rows.first + row,
                            j, rows.L, rule);
  });
}

/// A thread has 64 spins, as the sequences of the paper: a pair of words in rows 2 r and 2 r + 1.
template <class Numbers>
__global__ void words_kernel(WordPair* mine, const WordPair* __restrict__ other, const WordPair* __restrict__ above,
                             const WordPair* __restrict__ below, RowRange rows, std::uint64_t half_sweep,
                             Numbers numbers, SquareThresholds thresholds) {
  const int parity = static_cast<int>(half_sweep & 1), pairs = rows.L / (2 * spins_of_pair);
  const Slab<WordPair> slab{other, above, below};
  const auto update = [&](int row, int c) {
    update_pair(mine + row_begin(row, pairs), rows_around(slab, row, rows.count, pairs), parity, rows.first + row, c,
                rows.L, half_sweep, numbers, thresholds);
  };
  for_each_row(pairs, rows.count / 2, [&](int r, int c) {
    update(2 * r, c);
    update(2 * r + 1, c);
  });
}

/// A warp multiplies block by block: sums = S K + K S', K of both products as products_of() has them.
__global__ void products_kernel(const __half* __restrict__ in_rows, const __half* __restrict__ in_columns, __half* sums,
                                std::size_t blocks, Products products) {
  namespace wmma = nvcuda::wmma;
  __shared__ __align__(32) __half kernels[2][block_size];
  for (unsigned i = threadIdx.x; i < 2 * block_size; i += blockDim.x) {
    const int row = static_cast<int>(i % block_size) / block_side, column = static_cast<int>(i) % block_side;
    const bool transposed = i < block_size ? products.first_is_transposed : products.second_is_transposed;
    kernels[i / block_size][i % block_size] =
        __int2half_rn(transposed ? kernel_matrix(column, row) : kernel_matrix(row, column));
  }
  __syncthreads();
  wmma::fragment<wmma::matrix_b, block_side, block_side, block_side, __half, wmma::row_major> first, columns;
  wmma::fragment<wmma::matrix_a, block_side, block_side, block_side, __half, wmma::row_major> second, rows;
  wmma::fragment<wmma::accumulator, block_side, block_side, block_side, __half> sum;
  wmma::load_matrix_sync(first, kernels[0], block_side);
  wmma::load_matrix_sync(second, kernels[1], block_side);
  const std::size_t warps = std::size_t{gridDim.x} * blockDim.x / warp_size;
  for (std::size_t block = thread_index() / warp_size; block < blocks; block += warps) {
    wmma::load_matrix_sync(rows, in_rows + block * block_size, block_side);
    wmma::load_matrix_sync(columns, in_columns + block * block_size, block_side);
    wmma::fill_fragment(sum, __float2half(0));
    wmma::mma_sync(sum, rows, first, sum);
    wmma::mma_sync(sum, second, columns, sum);
    wmma::store_matrix_sync(sums + block * block_size, sum, block_side, wmma::mem_row_major);
  }
}

template <class Numbers>
__global__ void matrix_kernel(MatrixView<__half> view, std::size_t groups, std::uint64_t half_sweep, Numbers numbers,
                              SquareThresholds thresholds) {
  const std::size_t i = thread_index();
  if (i < groups) update_four(view, i, half_sweep, numbers, thresholds);
}

std::size_t entries_of(const RowRange& rows) {
  return static_cast<std::size_t>(rows.L) * static_cast<std::size_t>(rows.count) / 4;
}

}  // namespace

template <class T>
void fill(T* all, std::size_t count, T value, cudaStream_t stream) {
  fill_kernel<<<most_blocks, threads_per_block, 0, stream>>>(all, count, value);
  cuda::check(cudaGetLastError(), "start");
}

template <class Numbers>
void fill_random(std::uint32_t* random, const RowRange& rows, std::uint64_t half_sweep, const Numbers& numbers,
                 cudaStream_t stream) {
  random_kernel<<<grid_of((rows.L / 2 + 3) / 4, rows.count), threads_per_block, 0, stream>>>(random, rows, half_sweep,
                                                                                             numbers);
  cuda::check(cudaGetLastError(), "random numbers");
}

template <class U, class Rule>
void update_bytes(std::int8_t* mine, const Slab<std::int8_t>& other, const U* random, int parity, const RowRange& rows,
                  const Rule& rule, cudaStream_t stream) {
  bytes_kernel<<<grid_of(rows.L / 2, rows.count), threads_per_block, 0, stream>>>(
      mine, other.lines, other.above, other.below, random, parity, rows, rule);
  cuda::check(cudaGetLastError(), "update of basic");
}

template <class Numbers>
void update_words(WordPair* mine, const Slab<WordPair>& other, const RowRange& rows, std::uint64_t half_sweep,
                  const Numbers& numbers, const SquareThresholds& thresholds, cudaStream_t stream) {
  const dim3 grid = grid_of(rows.L / (2 * spins_of_pair), rows.count / 2);
  words_kernel<<<grid, threads_per_block, 0, stream>>>(mine, other.lines, other.above, other.below, rows, half_sweep,
                                                       numbers, thresholds);
  cuda::check(cudaGetLastError(), "update of four_bit");
}

void multiply(const MatrixView<__half>& view, cudaStream_t stream) {
  const Products products = products_of(view.matrix);
  const std::size_t blocks = entries_of(view.rows) / block_size;
  const unsigned all = blocks_for(blocks * warp_size), grid = all < most_blocks ? all : most_blocks;
  products_kernel<<<grid, threads_per_block, 0, stream>>>(view.in_rows, view.in_columns.lines, view.sums, blocks,
                                                          products);
  cuda::check(cudaGetLastError(), "products of tensor");
}

template <class Numbers>
void update_matrix(const MatrixView<__half>& view, std::uint64_t half_sweep, const Numbers& numbers,
                   const SquareThresholds& thresholds, cudaStream_t stream) {
  const std::size_t groups = entries_of(view.rows) / 4;
  matrix_kernel<<<blocks_for(groups), threads_per_block, 0, stream>>>(view, groups, half_sweep, numbers, thresholds);
  cuda::check(cudaGetLastError(), "update of tensor");
}

template void fill<std::int8_t>(std::int8_t*, std::size_t, std::int8_t, cudaStream_t);
template void fill<WordPair>(WordPair*, std::size_t, WordPair, cudaStream_t);
template void fill<__half>(__half*, std::size_t, __half, cudaStream_t);
template void update_bytes<std::uint32_t, SquareThresholds>(std::int8_t*, const Slab<std::int8_t>&,
                                                            const std::uint32_t*, int, const RowRange&,
                                                            const SquareThresholds&, cudaStream_t);
template void update_bytes<float, SingleRule>(std::int8_t*, const Slab<std::int8_t>&, const float*, int,
                                              const RowRange&, const SingleRule&, cudaStream_t);
#define PSFLIP_NUMBERS(NUMBERS)                                                                                     \
  template void fill_random<NUMBERS>(std::uint32_t*, const RowRange&, std::uint64_t, const NUMBERS&, cudaStream_t); \
  template void update_words<NUMBERS>(WordPair*, const Slab<WordPair>&, const RowRange&, std::uint64_t,             \
                                      const NUMBERS&, const SquareThresholds&, cudaStream_t);                       \
  template void update_matrix<NUMBERS>(const MatrixView<__half>&, std::uint64_t, const NUMBERS&,                    \
                                       const SquareThresholds&, cudaStream_t);
PSFLIP_NUMBERS(SequenceNumbers)
PSFLIP_NUMBERS(AddressedSquareNumbers)
#undef PSFLIP_NUMBERS

}  // namespace psflip::laboratory::device
