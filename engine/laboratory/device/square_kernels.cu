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

template <class Numbers>
__global__ void random_kernel(std::uint32_t* random, int L, std::uint64_t half_sweep, Numbers numbers) {
  for_each_row((L / 2 + 3) / 4, L, [&](int y, int group) { fill_four(random, y, 4 * group, half_sweep, L, numbers); });
}

template <class U, class Rule>
__global__ void bytes_kernel(std::int8_t* mine, const std::int8_t* __restrict__ other, const U* __restrict__ random,
                             int parity, int L, Rule rule) {
  for_each_row(L / 2, L, [&](int y, int j) {
    const std::size_t at = static_cast<std::size_t>(y) * static_cast<std::size_t>(L / 2) + static_cast<std::size_t>(j);
    mine[at] = updated_spin(mine[at], other, random[at], parity, y, j, L, rule);
  });
}

/// A thread has 64 spins, as the sequences of the paper: a pair of words in rows 2 r and 2 r + 1.
template <class Numbers>
__global__ void words_kernel(WordPair* mine, const WordPair* __restrict__ other, int L, std::uint64_t half_sweep,
                             Numbers numbers, SquareThresholds thresholds) {
  const int parity = static_cast<int>(half_sweep & 1);
  for_each_row(L / (2 * spins_of_pair), L / 2, [&](int r, int c) {
    update_pair(mine, other, parity, 2 * r, c, L, half_sweep, numbers, thresholds);
    update_pair(mine, other, parity, 2 * r + 1, c, L, half_sweep, numbers, thresholds);
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
__global__ void matrix_kernel(TensorView<__half> view, int matrix, std::size_t groups, std::uint64_t half_sweep,
                              Numbers numbers, SquareThresholds thresholds) {
  const std::size_t i = thread_index();
  if (i < groups) update_four(view, matrix, i, half_sweep, numbers, thresholds);
}

std::size_t entries_of(int L) { return static_cast<std::size_t>(L) * static_cast<std::size_t>(L) / 4; }

}  // namespace

template <class T>
void fill(T* all, std::size_t count, T value) {
  fill_kernel<<<most_blocks, threads_per_block>>>(all, count, value);
  cuda::check(cudaGetLastError(), "start");
}

template <class Numbers>
void fill_random(std::uint32_t* random, int L, std::uint64_t half_sweep, const Numbers& numbers) {
  random_kernel<<<grid_of((L / 2 + 3) / 4, L), threads_per_block>>>(random, L, half_sweep, numbers);
  cuda::check(cudaGetLastError(), "random numbers");
}

template <class U, class Rule>
void update_bytes(std::int8_t* mine, const std::int8_t* other, const U* random, int parity, int L, const Rule& rule) {
  bytes_kernel<<<grid_of(L / 2, L), threads_per_block>>>(mine, other, random, parity, L, rule);
  cuda::check(cudaGetLastError(), "update of basic");
}

template <class Numbers>
void update_words(WordPair* mine, const WordPair* other, int L, std::uint64_t half_sweep, const Numbers& numbers,
                  const SquareThresholds& thresholds) {
  words_kernel<<<grid_of(L / (2 * spins_of_pair), L / 2), threads_per_block>>>(mine, other, L, half_sweep, numbers,
                                                                               thresholds);
  cuda::check(cudaGetLastError(), "update of four_bit");
}

void multiply(const TensorView<__half>& view, int matrix) {
  const Products products = products_of(matrix);
  const std::size_t blocks = entries_of(view.L) / block_size;
  const unsigned all = blocks_for(blocks * warp_size), grid = all < most_blocks ? all : most_blocks;
  products_kernel<<<grid, threads_per_block>>>(view.matrices[products.in_rows], view.matrices[products.in_columns],
                                               view.sums, blocks, products);
  cuda::check(cudaGetLastError(), "products of tensor");
}

template <class Numbers>
void update_matrix(const TensorView<__half>& view, int matrix, std::uint64_t half_sweep, const Numbers& numbers,
                   const SquareThresholds& thresholds) {
  const std::size_t groups = entries_of(view.L) / 4;
  matrix_kernel<<<blocks_for(groups), threads_per_block>>>(view, matrix, groups, half_sweep, numbers, thresholds);
  cuda::check(cudaGetLastError(), "update of tensor");
}

template void fill<std::int8_t>(std::int8_t*, std::size_t, std::int8_t);
template void fill<WordPair>(WordPair*, std::size_t, WordPair);
template void fill<__half>(__half*, std::size_t, __half);
template void update_bytes<std::uint32_t, SquareThresholds>(std::int8_t*, const std::int8_t*, const std::uint32_t*, int,
                                                            int, const SquareThresholds&);
template void update_bytes<float, SingleRule>(std::int8_t*, const std::int8_t*, const float*, int, int,
                                              const SingleRule&);
#define PSFLIP_NUMBERS(NUMBERS)                                                                       \
  template void fill_random<NUMBERS>(std::uint32_t*, int, std::uint64_t, const NUMBERS&);             \
  template void update_words<NUMBERS>(WordPair*, const WordPair*, int, std::uint64_t, const NUMBERS&, \
                                      const SquareThresholds&);                                       \
  template void update_matrix<NUMBERS>(const TensorView<__half>&, int, std::uint64_t, const NUMBERS&, \
                                       const SquareThresholds&);
PSFLIP_NUMBERS(SequenceNumbers)
PSFLIP_NUMBERS(AddressedSquareNumbers)
#undef PSFLIP_NUMBERS

}  // namespace psflip::laboratory::device
