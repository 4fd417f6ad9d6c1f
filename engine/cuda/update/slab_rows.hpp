#pragma once
#include "engine/cuda/update/site_layout.hpp"

/// Rows of one rank of square lattices with packed sites: spins[sample][parity][row][word]. The first and the last
/// stored row are ghosts.
namespace psflip::cuda {

/// Own rows of a SiteLayout with ghost rows. `stored` is the number of a row counted from the first ghost, which is 0.
struct SlabRows {
  std::uint32_t L, words, first, count;  ///< words of a row; y of the first row

  PSFLIP_HD explicit SlabRows(const SiteLayout& layout)
      : L(layout.L), words(layout.words_in_row()), first((layout.first + 1) % layout.L), count(layout.stored - 2) {}

  PSFLIP_HD std::uint32_t y(std::uint32_t stored) const { return first + stored - 1; }

  /// Rows that are updated one by one: the first, the last, and one more if the number of rows between them is odd.
  PSFLIP_HD std::uint32_t singles() const { return count <= 2 ? count : 2 + count % 2; }
  PSFLIP_HD std::uint32_t single(std::uint32_t k) const { return k == 0 ? 1 : k == 1 ? count : count - 1; }

  /// Number of rows that are updated in pairs, from the second row on.
  PSFLIP_HD std::uint32_t paired() const { return count <= 2 ? 0 : (count - 2) / 2 * 2; }

  /// Pointer to row 0 of one parity as if the full lattice were stored, so that the index of a word addresses its
  /// random numbers.
  template <class Word>
  PSFLIP_HD Word* as_full_lattice(Word* parity) const {
    return parity + (std::ptrdiff_t{1} - static_cast<std::ptrdiff_t>(first)) * static_cast<std::ptrdiff_t>(words);
  }
};

}  // namespace psflip::cuda
