#pragma once
#include "engine/cuda/device/runtime.cuh"
#include "engine/driver/packed_signs.hpp"

/// Conversion from words that hold one site of 32 samples to the canonical order, one sample after the other, and back.
namespace psflip::cuda {

/// Location of the configurations of some samples in device memory.
struct SampleWords {
  std::uint32_t L;
  std::size_t sites;                            ///< of a configuration
  std::size_t fields;                           ///< configurations of a sample
  std::size_t per_pack, per_field, per_parity;  ///< words from one to the next
  std::size_t first_lane, samples;              ///< lane of the first sample in the first pack
  std::size_t origin = 0;                       ///< parity of site 0

  /// Index of the word of site s in its configuration: parity, then compact index.
  __device__ std::size_t word_index(std::size_t s) const {
    return ((origin + s % L + s / L % L + s / L / L) & 1u) * per_parity + s / 2;
  }
};

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

/// A chunk of the configurations that is copied at once: words of the rows of the samples of one pack, in one field.
struct RowChunk {
  std::size_t configuration;  ///< index of its first word in device memory
  std::size_t lane, lanes;    ///< those that are samples
  std::size_t row;            ///< row of the first lane among all rows
  std::size_t first, count;   ///< words of each row
};

/// Calls f(chunk) for chunks of at most `longest` words of a row.
template <class F>
void for_each_chunk(const SampleWords& where, std::size_t longest, F f) {
  const std::size_t words = (where.sites + 31) / 32, end = where.first_lane + where.samples;
  for (std::size_t pack = 0; 32 * pack < end; ++pack) {
    const std::size_t begin = std::max(32 * pack, where.first_lane), lanes = std::min(32 * pack + 32, end) - begin;
    for (std::size_t field = 0; field < where.fields; ++field)
      for (std::size_t first = 0; first < words; first += longest)
        f(RowChunk{pack * where.per_pack + field * where.per_field, begin % 32, lanes,
                   (begin - where.first_lane) * where.fields + field, first, std::min(longest, words - first)});
  }
}

inline constexpr std::size_t longest_chunk = std::size_t{1} << 17;  ///< words of a row; 32 rows are 16 MiB

/// [sample][field][site]
inline PackedSigns rows_of_words(const std::uint32_t* words, const SampleWords& where) {
  PackedSigns out(where.samples * where.fields, where.sites);
  const std::size_t longest = std::min(longest_chunk, out.words_in_row()),
                    pitch = 4 * where.fields * out.words_in_row();
  DeviceArray<std::uint32_t> staging(32 * longest);
  for_each_chunk(where, longest, [&](const RowChunk& p) {
    words_to_rows_kernel<<<blocks_for(32 * p.count, 256), 256>>>(words + p.configuration, where, 32 * p.first, p.count,
                                                                 staging.data());
    check(cudaGetLastError(), "spins in canonical order");
    check(cudaMemcpy2D(out.row(p.row) + p.first, pitch, staging.data() + p.lane * p.count, 4 * p.count, 4 * p.count,
                       p.lanes, cudaMemcpyDeviceToHost),
          "copy from the GPU");
  });
  return out;
}

/// The reverse of rows_of_words(); lanes without a sample become zero.
inline void words_of_rows(const PackedSigns& rows, const SampleWords& where, std::uint32_t* words) {
  const std::size_t longest = std::min(longest_chunk, rows.words_in_row()),
                    pitch = 4 * where.fields * rows.words_in_row();
  DeviceArray<std::uint32_t> staging(32 * longest);
  for_each_chunk(where, longest, [&](const RowChunk& p) {
    check(cudaMemset(staging.data(), 0, staging.size() * 4), "clear spins");
    check(cudaMemcpy2D(staging.data() + p.lane * p.count, 4 * p.count, rows.row(p.row) + p.first, pitch, 4 * p.count,
                       p.lanes, cudaMemcpyHostToDevice),
          "copy to the GPU");
    rows_to_words_kernel<<<blocks_for(32 * p.count, 256), 256>>>(staging.data(), where, 32 * p.first, p.count,
                                                                 words + p.configuration);
    check(cudaGetLastError(), "spins from canonical order");
  });
}

}  // namespace psflip::cuda
