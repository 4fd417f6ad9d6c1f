#pragma once
#include "engine/cuda/measure/sample_words.hpp"

/// Conversion of words that hold one site of 32 samples to rows of the sites of one sample, and back.
namespace psflip::cuda {

/// Transposes the 32 x 32 bits of a warp: bit b of lane k is exchanged with bit k of lane b.
__device__ __forceinline__ std::uint32_t transposed(std::uint32_t word) {
  std::uint32_t mine = 0;
#pragma unroll
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    const std::uint32_t column = __ballot_sync(0xffffffffu, (word >> bit) & 1u);
    if ((threadIdx.x & 31u) == bit) mine = column;
  }
  return mine;
}

/// Converts sites of a configuration from `first` on, one thread each, to rows[lane][word], `stride` words apart. A
/// warp converts 32 sites, so blockDim and `first` are multiples of 32.
static __global__ void words_to_rows_kernel(const std::uint32_t* words, const __grid_constant__ SampleWords where,
                                            std::size_t first, std::size_t stride, std::uint32_t* rows) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, site = first + thread;
  if (thread / 32 >= stride) return;
  const std::uint32_t word = transposed(site < where.sites ? words[where.word_index(site)] : 0);
  rows[(threadIdx.x & 31u) * stride + thread / 32] = word;
}

/// The reverse of words_to_rows_kernel.
static __global__ void rows_to_words_kernel(const std::uint32_t* rows, const __grid_constant__ SampleWords where,
                                            std::size_t first, std::size_t stride, std::uint32_t* words) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, site = first + thread;
  if (thread / 32 >= stride) return;
  const std::uint32_t word = transposed(rows[(threadIdx.x & 31u) * stride + thread / 32]);
  if (site < where.sites) words[where.word_index(site)] = word;
}

}  // namespace psflip::cuda
