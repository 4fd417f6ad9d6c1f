#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

/// Memory of square lattices with packed sites: spins[sample][parity][y][word].
namespace psflip::cuda {

/// Words of one thread: one word in each of the rows `first_row` ... `first_row + rows - 1`; `first_row` and `rows` are
/// even.
struct WordColumn {
  std::uint32_t word, first_row, rows;
  bool closed = true;  ///< periodic along y; false: copies of the neighbouring rows are stored before and after
};

/// Consecutive lattices in memory and the distribution of a half sweep of one lattice over threads.
struct SiteLayout {
  std::uint32_t L;
  std::uint32_t rows;  ///< of a thread's word column, even, a divisor of L
  std::uint64_t first_sample;
  std::uint32_t stored = L;  ///< rows in memory
  std::uint32_t first = 0;   ///< y of the first stored row
  std::uint32_t ghosts = 0;  ///< stored rows on either side that are copies
  std::uint32_t own = L;     ///< rows between the ghosts; if their number is odd, an unused row follows the ghosts

  PSFLIP_HD std::uint32_t words_in_row() const { return L / 64; }
  PSFLIP_HD std::uint32_t words() const { return stored * words_in_row(); }  ///< of one parity
  PSFLIP_HD std::uint32_t word_columns() const { return word_columns(L); }
  PSFLIP_HD std::uint32_t word_columns(std::uint32_t of_rows) const {
    return words_in_row() * ((of_rows + rows - 1) / rows);
  }
  PSFLIP_HD WordColumn word_column(std::uint32_t number) const {
    const std::uint32_t row_group = number / words_in_row();
    return {number - row_group * words_in_row(), row_group * rows, rows};
  }
  template <class Word>
  PSFLIP_HD Word* lattice(Word* spins, std::uint32_t sample) const {
    return spins + std::size_t{2} * words() * sample;
  }
};

constexpr std::uint32_t site_threads = 128, longest_word_column = 16;

}  // namespace psflip::cuda
