#include <gtest/gtest.h>

#include "engine/laboratory/device/gpu.hpp"
#include "engine/laboratory/device/tiles/field_boxes.hpp"
#include "engine/laboratory/field_tiles/tiles.hpp"
#include "engine/laboratory/multi_hit/thread_numbers.hpp"
#include "engine/models/tables.hpp"

// Boxes in a random field on the GPU have the spins and sums of those on the CPU, at several temperatures.
namespace psflip::laboratory {
namespace {

TEST(CudaFieldBoxes, have_the_spins_and_sums_of_the_CPU) {
  if (device::gpu_name().empty()) GTEST_SKIP() << "no GPU";
  constexpr int L = 16;
  constexpr double beta = 0.25;
  const FieldThresholds thresholds = make_field_thresholds(field_system(L, {beta}), beta);
  for (const char* generator : {"lcg64", "philox"})
    for (const IntTriple side : {IntTriple{16, 8, 8}, IntTriple{8, 4, 2}, IntTriple{4, 2, 2}}) {
      FieldTiles tiles(random_field_lattice(L, 2), side);
      const auto boxes =
          device::make_field_boxes(tiles.lattice(), field_system(L, {beta}), FieldTilePlan{side, 1, generator, 5});
      with_thread_generator(generator, tiles.threads(), tiles.blocks(), 5, [&](auto& numbers) {
        for (const int hits : {1, 3, 1}) {
          tiles.sweep(hits, thresholds, numbers);
          boxes->sweep(hits);
        }
      });
      EXPECT_EQ(boxes->spins(0), tiles.lattice().spins) << generator;
      EXPECT_EQ(boxes->sums()[0], tiles.sums()) << generator;
    }
}

TEST(CudaFieldBoxes, configurations_have_their_temperatures_and_sums) {
  if (device::gpu_name().empty()) GTEST_SKIP() << "no GPU";
  const System system = field_system(16, {10, 0.25, 0});
  const FieldLattice first = random_field_lattice(16, 2);
  const auto boxes = device::make_field_boxes(first, system, FieldTilePlan{{8, 4, 4}, 1, "philox", 5});
  for (int sweep = 0; sweep < 20; ++sweep) boxes->sweep(1);
  std::vector<std::int64_t> energies;
  for (std::size_t i = 0; i < 3; ++i) {
    const FieldSums counted = counted_sums({16, boxes->spins(i), first.fields});
    EXPECT_EQ(boxes->sums()[i], counted);
    energies.push_back(-counted.bonds - counted.fields);
  }
  EXPECT_LT(energies[0], energies[1]);
  EXPECT_LT(energies[1], energies[2]);
  EXPECT_GT(device::boxes_step_seconds(system, FieldTilePlan{{8, 4, 4}, 1, "lcg64", 5}, 2, 0.001), 0);
}

}  // namespace
}  // namespace psflip::laboratory
