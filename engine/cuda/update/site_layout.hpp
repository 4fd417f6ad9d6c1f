#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

/// Memory of square lattices with packed sites: spins[sample][parity][y][word].
namespace psflip::cuda {

/// Where the rows before row 0 and after row L - 1 are: at the other end of the lattice; the same, but row L holds a
/// copy of row 0; or stored before and after the other rows.
enum class EndRows { at_other_end, copied_after_last, stored };

/// Words of one thread: one word in each of the rows `first_row` ... `first_row + rows - 1`; `first_row` and `rows` are
/// even.
struct WordColumn {
  std::uint32_t word, first_row, rows;
  EndRows ends = EndRows::at_other_end;
};

/// Rows of memory after those of a full lattice in global memory: a copy of row 0, and one that keeps the alignment.
constexpr std::uint32_t rows_after_lattice = 2;

/// Consecutive lattices in memory and the distribution of a half sweep of one lattice over threads.
struct SiteLayout {
  std::uint32_t L;
  std::uint32_t rows;  ///< of a thread's word column, a power of two from 2 to 64
  std::uint64_t first_sample;
  std::uint32_t stored = L;  ///< rows in memory, perhaps with spare rows
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
