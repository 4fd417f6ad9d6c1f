#pragma once
#include "engine/cuda/update/site_layout.cuh"

/// Rows of one rank of square lattices with packed sites: spins[sample][parity][row][word], the first and the last of
/// the rows are ghosts.
namespace psflip::cuda {

/// What a SiteLayout with ghosts says of the rows between them; `stored` rows are counted with the ghost as 0.
struct SlabRows {
  std::uint32_t L, words, first, count;  ///< words of a row; y of the first row

  __host__ __device__ explicit SlabRows(const SiteLayout& layout)
      : L(layout.L), words(layout.words_in_row()), first((layout.first + 1) % layout.L), count(layout.stored - 2) {}

  __host__ __device__ std::uint32_t y(std::uint32_t stored) const { return first + stored - 1; }

  /// Rows that are updated one by one: the first, the last, and one more where pairs of rows would leave one over.
  __host__ __device__ std::uint32_t singles() const { return count <= 2 ? count : 2 + count % 2; }
  __device__ std::uint32_t single(std::uint32_t k) const { return k == 0 ? 1 : k == 1 ? count : count - 1; }

  /// Rows in pairs, from the second on.
  __host__ __device__ std::uint32_t paired() const { return count <= 2 ? 0 : (count - 2) / 2 * 2; }

  /// Memory of one parity as if all rows were stored, so that a word has the place in it that numbers are addressed by.
  template <class Word>
  __device__ Word* as_full_lattice(Word* parity) const {
    return parity + (std::ptrdiff_t{1} - static_cast<std::ptrdiff_t>(first)) * static_cast<std::ptrdiff_t>(words);
  }
};

}  // namespace psflip::cuda
