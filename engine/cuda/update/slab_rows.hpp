#pragma once
#include "engine/cuda/update/site_layout.hpp"

/// Rows of square lattices with packed sites, spins[sample][parity][row][word]: all of them, or those of one rank. Then
/// SiteLayout::ghosts rows before and after the own rows are copies of the neighbours' rows.
namespace psflip::cuda {

/// Some consecutive rows. `stored` is the number of a row in memory. Row numbers continue after the last row of
/// the lattice: y = L is row 0, if a slab stores rows on both sides of it.
struct SlabRows {
  std::uint32_t words, first;  ///< words of a row; y of stored row 0
  std::uint32_t begin, count;  ///< stored rows begin ... begin + count - 1

  PSFLIP_HD static SlabRows own(const SiteLayout& layout) { return {layout, layout.ghosts, layout.own}; }

  /// The rows that a half sweep updates, pairs of which the first has an even y, so that no pair has row L - 1 and row
  /// L. With ghosts: if `before` half sweeps have been done since the ghosts were received. Each one leaves one correct
  /// row less on either side, since it reads the row next to those that it updates. All half sweeps update the same
  /// pairs of rows, and with them up to two rows, and an unused one, next to the correct ones on either side, which
  /// become wrong. No correct row reads these later. A row before the first and one after the last stored row may be
  /// read.
  PSFLIP_HD static SlabRows updated(const SiteLayout& layout, std::uint32_t before) {
    const std::uint32_t margin = layout.ghosts == 0 ? 0 : before / 2 * 2 + layout.first % 2;
    return {layout, margin, (layout.ghosts == 0 ? layout.own : layout.stored) - 2 * margin};
  }

  /// Groups of layout.rows rows of all half sweeps, the first and the last one perhaps with fewer. They begin at
  /// multiples of layout.rows, so that no group has rows on both sides of L.
  PSFLIP_HD static std::uint32_t groups(const SiteLayout& layout) {
    const SlabRows all = updated(layout, 0);
    return (all.y(all.begin + all.count) - all.first_group(layout) + layout.rows - 1) / layout.rows;
  }

  /// Those among row group `number`, perhaps none. Groups keep their rows in all half sweeps.
  PSFLIP_HD SlabRows of_group(const SiteLayout& layout, std::uint32_t number) const {
    const std::uint32_t from = updated(layout, 0).first_group(layout) + number * layout.rows;
    const std::uint32_t begin_y = from > y(begin) ? from : y(begin), all_end = y(begin + count),
                        end_y = from + layout.rows < all_end ? from + layout.rows : all_end;
    SlabRows some = *this;
    some.begin = begin_y - first;
    some.count = end_y > begin_y ? end_y - begin_y : 0;
    return some;
  }

  PSFLIP_HD std::uint32_t y(std::uint32_t stored) const { return first + stored; }

  /// Pointer to row y = 0 of one parity as if all rows from there on were stored.
  template <class Word>
  PSFLIP_HD Word* from_row_0(Word* parity) const {
    return parity - static_cast<std::ptrdiff_t>(first) * static_cast<std::ptrdiff_t>(words);
  }

 private:
  PSFLIP_HD std::uint32_t first_group(const SiteLayout& layout) const { return y(begin) & (0u - layout.rows); }
  PSFLIP_HD SlabRows(const SiteLayout& layout, std::uint32_t from, std::uint32_t number)
      : words(layout.words_in_row()), first(layout.first), begin(from), count(number) {}
};

}  // namespace psflip::cuda
