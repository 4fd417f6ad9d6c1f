#include "engine/cuda/device/launch.hpp"
#include "engine/cuda/measure/sample_words_kernels.cuh"
#include "engine/cuda/measure/site_order.cuh"
#include "engine/cuda/measure/site_words.hpp"

// Launches of the kernels that convert spins to canonical order and back.
namespace psflip::cuda {

void start_words_to_rows(const std::uint32_t* words, const SampleWords& where, std::size_t first, std::size_t stride,
                         std::uint32_t* rows) {
  words_to_rows_kernel<<<blocks_for(32 * stride, 256), 256>>>(words, where, first, stride, rows);
  check(cudaGetLastError(), "spins in canonical order");
}

void start_rows_to_words(const std::uint32_t* rows, const SampleWords& where, std::size_t first, std::size_t stride,
                         std::uint32_t* words) {
  rows_to_words_kernel<<<blocks_for(32 * stride, 256), 256>>>(rows, where, first, stride, words);
  check(cudaGetLastError(), "spins from canonical order");
}

void start_interleaving(std::uint32_t* spins, const SiteLayout& layout, std::uint64_t first_row, std::size_t chunks,
                        std::uint64_t* out) {
  interleave_spins_kernel<<<blocks_for(chunks, 256), 256>>>(spins, layout, first_row, chunks, out);
  check(cudaGetLastError(), "spins in canonical order");
}

void start_separating(std::uint32_t* spins, const SiteLayout& layout, std::uint64_t first_row, std::size_t chunks,
                      const std::uint64_t* in) {
  separate_spins_kernel<<<blocks_for(chunks, 256), 256>>>(spins, layout, first_row, chunks, in);
  check(cudaGetLastError(), "spins from canonical order");
}

}  // namespace psflip::cuda
