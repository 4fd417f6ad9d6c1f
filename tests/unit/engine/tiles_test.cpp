#include "engine/cpu/tiles.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "engine/cpu/engines/team.hpp"

namespace psflip::cpu {
namespace {

/// How many half sweeps each row of a lattice has done.
class Rows {
 public:
  explicit Rows(std::uint32_t L) : L_(L), done_(L * L, 0) {}

  /// Counts a half sweep of a row; false if a row that it reads has done too few or too many.
  bool update(std::uint64_t half_sweep, std::uint32_t row) {
    const std::uint32_t y = row % L_, z = row / L_, end = L_ - 1;
    const std::array<std::uint32_t, 4> near{z * L_ + (y + 1) % L_, z * L_ + (y + end) % L_, (z + 1) % L_ * L_ + y,
                                            (z + end) % L_ * L_ + y};
    bool is_in_order = done_[row] == half_sweep;
    for (const std::uint32_t other : near)
      is_in_order = is_in_order && (done_[other] == half_sweep || done_[other] == half_sweep + 1);
    ++done_[row];
    return is_in_order;
  }

  bool all_did(std::uint64_t half_sweeps) const {
    return done_ == std::vector<std::uint64_t>(done_.size(), half_sweeps);
  }

 private:
  std::uint32_t L_;
  std::vector<std::uint64_t> done_;
};

TEST(Tiles, update_a_row_after_its_neighbours_and_before_their_next_half_sweep) {
  for (const std::uint32_t L : {4u, 6u, 10u, 24u})
    for (const std::uint32_t rows_in_tile : {1u, 3u, 4u, 16u, 64u})
      for (std::uint64_t count = 1; count < 2 * half_sweeps_in_pass + 2; ++count) {
        Rows rows(L);
        bool is_in_order = true;
        update_in_tiles(Domain<3>(Lattice<3>{L}), {0, count}, rows_in_tile, [&](HalfSweeps one, RowRange range) {
          ASSERT_EQ(one.last, one.first + 1);
          for (std::uint32_t row = range.first; row < range.last; ++row)
            is_in_order = rows.update(one.first, row) && is_in_order;
        });
        EXPECT_TRUE(is_in_order) << L << ", " << rows_in_tile << " rows, " << count;
        EXPECT_TRUE(rows.all_did(count)) << L << ", " << rows_in_tile << " rows, " << count;
      }
}

/// What the choice of private batches asks of lattices.
struct BatchesOf {
  std::size_t count, mebibytes;
  bool tiled;
  std::size_t batches() const { return count; }
  std::size_t batch_bytes() const { return mebibytes << 20; }
  bool has_tiles() const { return tiled; }
};

TEST(Team, HasPrivateBatchesIfTheyAreSmallOrInTiles) {
  EXPECT_TRUE(has_private_batches(BatchesOf{3, 8, false}, 2));
  EXPECT_FALSE(has_private_batches(BatchesOf{1, 8, false}, 2)) << "fewer batches than threads";
  EXPECT_FALSE(has_private_batches(BatchesOf{4, 9, false}, 2)) << "the cache holds one";
  EXPECT_FALSE(has_private_batches(BatchesOf{4, 19, true}, 2)) << "half of a batch fits in the cache of a core";
  EXPECT_TRUE(has_private_batches(BatchesOf{4, 20, true}, 2));
  EXPECT_FALSE(has_private_batches(BatchesOf{4, 20, false}, 2));
  EXPECT_FALSE(has_private_batches(BatchesOf{3, 20, true}, 2)) << "a thread would wait for the last batch";
  EXPECT_TRUE(has_private_batches(BatchesOf{1, 100, false}, 1));
}

}  // namespace
}  // namespace psflip::cpu
