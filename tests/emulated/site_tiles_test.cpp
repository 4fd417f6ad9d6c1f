#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "emulated_lattices.hpp"
#include "engine/cuda/sweep/half_sweep/site_kernel.cuh"
#include "engine/cuda/update/slab_memory.hpp"

namespace psflip::cuda {
namespace {

/// The tile that updates a word of a row if `before` half sweeps have been done since the ghosts were received; -1 if
/// none does. Word columns are numbered as in sweep_tile().
int tile_of(const SiteLayout& layout, std::uint32_t row, std::uint32_t word, std::uint32_t before) {
  const SlabRows rows = SlabRows::updated(layout, before);
  for (std::uint32_t group = 0; group < SlabRows::groups(layout); ++group) {
    const SlabRows own = rows.of_group(layout, group);
    if (row >= own.begin && row < own.begin + own.count)
      return static_cast<int>((group * rows.words + word) / site_threads);
  }
  return -1;
}

/// Expects that the tiles of some rows wait for the tiles that update the neighbours of their words in the half sweep
/// before. If all rows of the lattice are stored, its last tile adjoins its first one.
void expect_reach(const SiteLayout& layout, const std::vector<std::uint32_t>& rows, std::uint32_t before) {
  const std::uint32_t W = layout.words_in_row(), stored = layout.stored;
  const int tiles = static_cast<int>(blocks_for(SlabRows::groups(layout) * layout.words_in_row(), site_threads));
  int farthest = 0;
  for (const std::uint32_t row : rows)
    for (const std::uint32_t word : {0u, W / 2, W - 1}) {
      const int tile = tile_of(layout, row, word, before + 1);
      for (const auto& [y, x] : {std::pair{row, word},
                                 {(row + stored - 1) % stored, word},
                                 {(row + 1) % stored, word},
                                 {row, (word + 1) % W},
                                 {row, (word + W - 1) % W}}) {
        const bool is_stored = layout.ghosts == 0 || std::abs(static_cast<int>(y) - static_cast<int>(row)) <= 1;
        const int other = is_stored ? tile_of(layout, y, x, before) : -1, apart = std::abs(other - tile);
        if (other >= 0) farthest = std::max(farthest, layout.ghosts == 0 ? std::min(apart, tiles - apart) : apart);
      }
    }
  EXPECT_LE(farthest, static_cast<int>(site_reach(W))) << W << " words in a row, " << before << " half sweeps before";
}

TEST(SiteTiles, of_a_slab_wait_for_the_tiles_of_all_neighbours) {
  for (const std::uint32_t W : {1u, 2u, 64u, 127u, 128u, 129u, 192u, 193u, 256u, 512u, 768u, 1000u, 1024u})
    for (const std::uint32_t rows_of_column : {4u, 16u}) {
      const Domain<2> domain(Lattice<2>{64 * W}, {17, 41}, 5);
      const SiteLayout layout = site_layout(domain, rows_of_column, 0);
      for (std::uint32_t before = 0; before + 1 < domain.ghosts; ++before) {
        const SlabRows updated = SlabRows::updated(layout, before + 1);
        std::vector<std::uint32_t> rows(updated.count);
        std::iota(rows.begin(), rows.end(), updated.begin);
        expect_reach(layout, rows, before);
      }
    }
}

TEST(SiteTiles, of_all_rows_wait_for_the_tiles_of_all_neighbours) {
  for (const std::uint32_t W : {1u, 2u, 63u, 64u, 129u, 193u, 512u})
    for (const std::uint32_t rows_of_column : {2u, 16u}) {
      const SiteLayout layout = site_layout(Domain<2>(Lattice<2>{64 * W}), rows_of_column, 0);
      expect_reach(layout, {0, rows_of_column - 1, rows_of_column, layout.L / 2, layout.L - 1}, 0);
    }
}

TEST(SiteTiles, update_all_correct_rows_of_a_slab_in_the_same_pairs) {
  for (const Planes& planes : {Planes{17, 41}, Planes{18, 40}, Planes{0, 21}, Planes{100, 28}}) {
    const Domain<2> domain(Lattice<2>{128}, planes, 5);
    const SiteLayout layout = site_layout(domain, 4, 0);
    for (std::uint32_t before = 0; before < domain.ghosts; ++before) {
      for (std::uint32_t row = 0; row < domain.stored_planes(); ++row) {
        const bool is_correct = row > before && row + 1 + before < domain.stored_planes();
        EXPECT_TRUE(!is_correct || tile_of(layout, row, 0, before) >= 0) << row << ", " << before;
      }
      const SlabRows rows = SlabRows::updated(layout, before);
      EXPECT_LE(rows.begin + rows.count, layout.stored);
      for (std::uint32_t group = 0; group < SlabRows::groups(layout); ++group) {
        const SlabRows own = rows.of_group(layout, group);
        if (own.count == 0) continue;
        EXPECT_TRUE(own.count % 2 == 0 && own.y(own.begin) % 2 == 0);
        EXPECT_EQ(own.y(own.begin) / 128, (own.y(own.begin + own.count - 1)) / 128);  // L
      }
    }
  }
}

}  // namespace
}  // namespace psflip::cuda
