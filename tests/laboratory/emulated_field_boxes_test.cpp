#include <gtest/gtest.h>

#include "tests/emulated/cuda_on_cpu.hpp"
// after the definitions that it uses
#include "engine/laboratory/device/tiles/field_block.cuh"
#include "engine/laboratory/field_tiles/lcg_start.hpp"
#include "engine/laboratory/field_tiles/tiles.hpp"
#include "engine/laboratory/field_tiles/timing.hpp"
#include "engine/models/tables.hpp"

// The kernel of the boxes, run by the emulator of CUDA with its threads in random order, has the spins and sums of the
// tiles of a CPU.
namespace psflip::laboratory {
namespace {

constexpr int L = 16;
constexpr std::uint32_t seed = 5;

template <class States>
void sweep(const device::FieldArrays& arrays, const TileBox& box, int hits, const States& numbers) {
  static std::uint32_t order = 1;
  const std::size_t words = (static_cast<std::size_t>(box.copied_sites() + 2 * box.threads()) + 3) / 4;
  for (const int parity : {0, 1}) {
    const emulated::Index grid{static_cast<std::uint32_t>(box.blocks(parity)),
                               static_cast<std::uint32_t>(arrays.configurations), 1};
    if (grid.x == 0) continue;
    emulated::run_grid(
        grid, static_cast<std::uint32_t>(box.threads()), 1, order += 1000,
        [&] {
          device::update_block(arrays, box, parity, hits, numbers, reinterpret_cast<std::int8_t*>(emulated::shared()));
        },
        words);
  }
}

TEST(EmulatedFieldBoxes, have_the_spins_and_sums_of_the_tiles_of_a_CPU) {
  const System system = field_system(L, {0.3, 0.2});
  const std::vector<FieldThresholds> thresholds = make_field_thresholds(system);
  for (const IntTriple side : {IntTriple{8, 4, 2}, IntTriple{16, 8, 2}, IntTriple{16, 4, 4}}) {
    const TileBox box{L, side};
    const FieldTiles first(random_field_lattice(L, 2), side);
    const std::size_t sites = first.lattice().spins.size();
    std::vector<std::int8_t> spins = first.lattice().spins;
    spins.insert(spins.end(), first.lattice().spins.begin(), first.lattice().spins.end());
    std::vector<unsigned long long> sums;
    for (int i = 0; i < 2; ++i)
      for (const std::int64_t sum : {first.sums().bonds, first.sums().fields})
        sums.push_back(static_cast<unsigned long long>(sum));
    LcgStart start = lcg_start(2 * first.threads(), seed);
    const device::FieldArrays arrays{2, spins.data(), first.lattice().fields.data(), thresholds.data(), sums.data()};
    FieldTiles tiles[] = {first, first};
    // Both configurations share one sequence of numbers: its threads are those of the first, then of the second.
    SkippingLcg<std::uint64_t> lcg(2 * first.threads(), seed);
    const auto second = [&](const Visit& visit) { return lcg(Visit{visit.block, first.threads() + visit.thread}); };
    for (const int hits : {1, 3}) {
      sweep(arrays, box, hits, LcgStates{start.states.data(), start.a, start.c});
      tiles[0].sweep(hits, thresholds[0], lcg);
      tiles[1].sweep(hits, thresholds[1], second);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const auto from = spins.begin() + static_cast<std::ptrdiff_t>(i * sites);
      EXPECT_EQ(std::vector<std::int8_t>(from, from + static_cast<std::ptrdiff_t>(sites)), tiles[i].lattice().spins);
      EXPECT_EQ(static_cast<std::int64_t>(sums[2 * i]), tiles[i].sums().bonds);
      EXPECT_EQ(static_cast<std::int64_t>(sums[2 * i + 1]), tiles[i].sums().fields);
    }
    EXPECT_NE(tiles[0].lattice().spins, tiles[1].lattice().spins);
  }
}

}  // namespace
}  // namespace psflip::laboratory
