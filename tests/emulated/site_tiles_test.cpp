#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "emulated_lattices.hpp"
#include "engine/cuda/sweep/half_sweep/site_kernel.cuh"
#include "engine/cuda/update/slab_memory.hpp"

namespace psflip::cuda {
namespace {

/// The tile that updates a word of a row if `before` half sweeps have been done since the ghosts were received; -1 if
/// none does. Word columns are numbered as in sweep_tile().
int tile_of(const SiteLayout& layout, std::uint32_t row, std::uint32_t word, std::uint32_t before) {
  const SlabRows rows = SlabRows::updated(layout, before);
  for (std::uint32_t group = 0; group * layout.rows < layout.stored; ++group) {
    const SlabRows own = rows.of_group(layout, group);
    if (row >= own.begin && row < own.begin + own.count)
      return static_cast<int>((group * rows.words + word) / site_threads);
  }
  return -1;
}

/// Expects that a tile waits for the tiles that update the neighbours of its words in the half sweep before.
void expect_reach(const SiteLayout& layout, std::uint32_t before) {
  const std::uint32_t W = layout.words_in_row();
  const SlabRows rows = SlabRows::updated(layout, before + 1);
  int farthest = 0;
  for (std::uint32_t row = rows.begin; row < rows.begin + rows.count; ++row)
    for (const std::uint32_t word : {0u, W / 2, W - 1}) {
      const int tile = tile_of(layout, row, word, before + 1);
      for (const auto& [y, x] : {std::pair{row, word},
                                 {row - 1, word},
                                 {row + 1, word},
                                 {row, word + 1 == W ? 0 : word + 1},
                                 {row, word == 0 ? W - 1 : word - 1}})
        if (const int other = tile_of(layout, y, x, before); other >= 0)
          farthest = std::max(farthest, std::abs(other - tile));
    }
  EXPECT_LE(farthest, static_cast<int>(site_reach(W))) << W << " words in a row, " << before << " half sweeps before";
}

TEST(SiteTiles, wait_for_the_tiles_of_all_neighbours) {
  for (const std::uint32_t W : {1u, 2u, 64u, 127u, 128u, 129u, 192u, 193u, 256u, 512u, 768u, 1000u, 1024u})
    for (const std::uint32_t rows_of_column : {4u, 16u}) {
      const Domain<2> domain(Lattice<2>{64 * W}, {17, 41}, 5);
      for (std::uint32_t before = 0; before + 1 < domain.ghosts; ++before)
        expect_reach(site_layout(domain, rows_of_column, 0), before);
    }
}

TEST(SiteTiles, of_all_rows_wait_for_the_tiles_of_all_neighbours) {
  for (const std::uint32_t W : {1u, 2u, 63u, 64u, 129u, 193u, 512u})
    for (const std::uint32_t rows_of_column : {2u, 16u}) {
      const std::uint32_t L = 64 * W, tiles = (W * L / rows_of_column + site_threads - 1) / site_threads;
      const auto distance = [&](std::uint32_t row, std::uint32_t word, std::uint32_t y, std::uint32_t x) {
        const auto tile = [&](std::uint32_t r, std::uint32_t w) { return (r / rows_of_column * W + w) / site_threads; };
        const std::uint32_t a = tile(row, word), b = tile(y, x), d = a < b ? b - a : a - b;
        return std::min(d, tiles - d);
      };
      std::uint32_t farthest = 0;
      for (const std::uint32_t row : {0u, rows_of_column - 1, rows_of_column, L / 2, L - 1})
        for (const std::uint32_t word : {0u, W / 2, W - 1}) {
          farthest = std::max({farthest, distance(row, word, (row + 1) % L, word),
                               distance(row, word, (row + L - 1) % L, word), distance(row, word, row, (word + 1) % W),
                               distance(row, word, row, (word + W - 1) % W)});
        }
      EXPECT_LE(farthest, site_reach(W)) << W << " words in a row";
    }
}

TEST(SiteTiles, update_all_correct_rows_of_a_slab_in_the_same_pairs) {
  const Domain<2> domain(Lattice<2>{128}, {17, 41}, 5);
  const SiteLayout layout = site_layout(domain, 4, 0);
  for (std::uint32_t before = 0; before < domain.ghosts; ++before) {
    for (std::uint32_t row = 0; row < domain.stored_planes(); ++row) {
      const bool is_correct = row > before && row + 1 + before < domain.stored_planes();
      EXPECT_TRUE(!is_correct || tile_of(layout, row, 0, before) >= 0) << row << ", " << before;
    }
    const SlabRows rows = SlabRows::updated(layout, before);
    EXPECT_GE(rows.begin, 1u);  // the row before it is in memory
    EXPECT_LT(rows.begin + rows.count, layout.stored);
    for (std::uint32_t group = 0; group < 12; ++group) {
      const SlabRows own = rows.of_group(layout, group);
      EXPECT_EQ(own.count % 2, 0u);
      EXPECT_TRUE(own.count == 0 || own.begin % 2 == SlabRows::updated(layout, 0).begin % 2);
    }
  }
}

}  // namespace
}  // namespace psflip::cuda
