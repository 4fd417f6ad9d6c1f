#pragma once
#include "engine/core/interleave.hpp"
#include "engine/cuda/update/site_layout.hpp"

/// Spins of square lattices with packed sites in canonical order, 64 neighbouring sites in a word, and back.
namespace psflip::cuda {

/// The words of 64 neighbouring sites of a row, which thread `number` converts.
struct SitesOfRow {
  std::uint32_t *even, *odd;

  /// Rows are numbered y + stored sample; the copy begins with row `first_row`.
  __device__ SitesOfRow(std::uint32_t* spins, const SiteLayout& layout, std::uint64_t first_row, std::size_t number) {
    const std::uint32_t W = layout.words_in_row();
    const std::size_t row = number / W;
    const auto word = static_cast<std::uint32_t>(number - row * W);
    const std::uint64_t sample = (first_row + row) / layout.stored;
    const auto y = static_cast<std::uint32_t>(first_row + row - sample * layout.stored);
    std::uint32_t* parity_0 = spins + std::size_t{2} * layout.words() * sample + y * W + word;
    std::uint32_t* parity_1 = parity_0 + layout.words();
    const bool odd_row = ((layout.first + y) & 1u) != 0;
    even = odd_row ? parity_1 : parity_0;
    odd = odd_row ? parity_0 : parity_1;
  }
};

/// Spins in canonical order, `chunks` times 64 of them from row `first_row` on.
static __global__ void __launch_bounds__(256)
    interleave_spins_kernel(std::uint32_t* spins, SiteLayout layout, std::uint64_t first_row, std::size_t chunks,
                            std::uint64_t* out) {
  const std::size_t number = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (number >= chunks) return;
  const SitesOfRow sites(spins, layout, first_row, number);
  out[number] = interleave_bits(*sites.even, *sites.odd);
}

/// The reverse of interleave_spins_kernel.
static __global__ void __launch_bounds__(256)
    separate_spins_kernel(std::uint32_t* spins, SiteLayout layout, std::uint64_t first_row, std::size_t chunks,
                          const std::uint64_t* in) {
  const std::size_t number = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (number >= chunks) return;
  const SitesOfRow sites(spins, layout, first_row, number);
  *sites.even = even_bits(in[number]);
  *sites.odd = even_bits(in[number] >> 1);
}

}  // namespace psflip::cuda
