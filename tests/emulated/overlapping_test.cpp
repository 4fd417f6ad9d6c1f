#include <gtest/gtest.h>

#include "cubic_loops.hpp"
#include "engine/cuda/sweep/half_sweep/overlapping_kernel.cuh"
#include "engine/models/tables.hpp"

// Half sweeps whose tiles wait for each other (engine/cuda/sweep/half_sweep/overlapping_kernel.cuh).
namespace psflip::cuda {
namespace {

/// Half sweeps of two packs, four replicas from 4 on. A few thread blocks each take the next tile of the next half
/// sweep, so that half sweeps overlap as on a GPU. `done_before`: what all tiles have done before the first.
template <std::uint32_t L, class Decision>
void run_tiles(const Decision& decide, const Layout& layout, Words32& spins, const Words32& couplings,
               std::uint32_t first, std::uint32_t half_sweeps, std::uint32_t done_before, std::uint32_t seed) {
  using Tile = ColumnTile<L>;
  constexpr std::uint32_t packs = 2, blocks = 5, words = overlapping_bytes<Decision> / 4;
  const KeySchedule keys(Key{1, 2});
  Words32 done(Tile::tiles, done_before);
  std::uint32_t begun = 0;
  emulated::run({blocks, z_sweep_threads, words + 1}, seed, [&] {
    std::uint32_t& number = emulated::shared()[words];
    while (true) {
      if (threadIdx.x == 0) number = begun++;
      __syncthreads();
      const std::uint32_t place = number % Tile::tiles, k = number / Tile::tiles, pack = k / half_sweeps,
                          h = first + k % half_sweeps, before = done_before + k;
      if (pack == packs) return;
      sweep_column_tile(layout.view<3>(spins.data(), couplings.data(), pack, 4),
                        Tile(place % Tile::groups, place / Tile::groups, before),
                        HalfSweep(keys, layout.first_pack + pack, h, 4), h & 1u, {done.data(), before, k == 0}, decide);
      __syncthreads();
    }
  });
}

template <std::uint32_t L, int LEADING, int PLANES>
void compare_with_loops(double beta, std::uint32_t half_sweeps) {
  const Thresholds thresholds = make_thresholds(beta, 3);
  const IndependentDecision<4, 3, LEADING> at_once(thresholds);
  const IndependentDecision<4, 3, LEADING, true, PLANES> queued(at_once);
  const std::uint32_t first = 3;
  for (const std::uint32_t seed : {1u, 100u}) {
    const std::uint32_t done_before = seed == 1 ? 0 : std::uint32_t{} - 4;  // numbers overflow
    const Layout layout{L, L * L * L / 2, 8, 5};
    Words32 spins = random_words(std::size_t{2} * 2 * 8 * layout.sites, 7), expected = spins;
    const Words32 couplings = random_words(std::size_t{2} * 6 * layout.sites, 8);
    const KeySchedule keys(Key{1, 2});
    for (std::uint32_t pack = 0; pack < 2; ++pack)
      for (std::uint32_t h = first; h < first + half_sweeps; ++h)
        half_sweep_with(at_once, layout.view<3>(expected.data(), couplings.data(), pack, 4), L, h & 1u,
                        HalfSweep(keys, layout.first_pack + pack, h, 4));
    run_tiles<L>(queued, layout, spins, couplings, first, half_sweeps, done_before, seed);
    EXPECT_TRUE(spins == expected) << "seed " << seed;
  }
}

// The kernel has L = 128, which takes minutes here. L = 32 has two groups of columns, L = 64 eight.
TEST(OverlappingHalfSweeps, agree_with_loops) { compare_with_loops<32, 0, -1>(0.2, 5); }
TEST(OverlappingHalfSweeps, with_known_bits_agree_with_loops) { compare_with_loops<32, 5, 6>(1 / 1.1, 5); }
TEST(OverlappingHalfSweeps, of_many_groups_agree_with_loops) { compare_with_loops<64, 5, 6>(1 / 1.1, 3); }

/// Sites of a tile, [z][y][x of one parity], and the tiles of their neighbours.
TEST(OverlappingHalfSweeps, wait_for_the_tiles_of_all_neighbours) {
  using Large = ColumnTile<128>;
  const auto tile_of = [](std::uint32_t z, std::uint32_t y) {
    return z % 128 / slab_segment * Large::groups + y % 128 / (z_sweep_threads / 64);
  };
  for (std::uint32_t y = 0; y < Large::segments; ++y)
    for (std::uint32_t x = 0; x < Large::groups; ++x) {
      const Large tile(x, y, 1);
      std::vector<bool> awaited(Large::tiles);
      for (std::uint32_t k = 0; k < 5; ++k) awaited[tile.adjoining(k)] = true;
      for (std::uint32_t z = 0; z < 128; ++z)
        for (std::uint32_t row = 0; row < 128; ++row)
          if (tile_of(z, row) == tile.number())
            for (const std::uint32_t other : {tile_of(z + 1, row), tile_of(z + 127, row), tile_of(z, row + 1),
                                              tile_of(z, row + 127), tile.number()})
              EXPECT_TRUE(awaited[other]) << "z = " << z << ", y = " << row;
    }
}

/// Thread blocks start in the order x, y. Those on which a tile waits have started so long before that a large GPU has
/// not enough room for all of them.
TEST(OverlappingHalfSweeps, wait_for_tiles_that_started_long_before) {
  using Large = ColumnTile<128>;
  for (std::uint32_t h = 1; h < 40; ++h) {
    std::vector<std::uint32_t> start(Large::tiles);
    for (std::uint32_t n = 0; n < Large::tiles; ++n)
      start[Large(n % Large::groups, n / Large::groups, h - 1).number()] = n;
    for (std::uint32_t n = 0; n < Large::tiles; ++n)
      for (std::uint32_t k = 0; k < 5; ++k) {
        const Large tile(n % Large::groups, n / Large::groups, h);
        EXPECT_GT(Large::tiles + n - start[tile.adjoining(k)], 400u);
      }
  }
}

}  // namespace
}  // namespace psflip::cuda
