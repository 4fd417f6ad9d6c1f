#include <gtest/gtest.h>

#include <vector>

#include "emulated_lattices.hpp"
#include "engine/cuda/sweep/half_sweep/slab_sweeps.hpp"

// Which tiles of a slab of planes wait for each other (engine/cuda/sweep/half_sweep/slab_tiles.cuh).
namespace psflip::cuda {
namespace {

/// The tiles of columns that a tile waits for, as in wait_for_adjoining().
std::vector<bool> awaited(const SlabSweeps& sweeps, std::uint32_t tile) {
  std::vector<bool> tiles(sweeps.columns);
  for (std::uint32_t n = 0; n < 2 * sweeps.reach + 1; ++n)
    tiles[(tile + 2 * sweeps.columns + n - sweeps.reach) % sweeps.columns] = true;
  return tiles;
}

TEST(SlabTiles, wait_for_the_tiles_of_all_neighbours) {
  for (std::uint32_t L = 4; L <= 256; L += 2) {
    const SlabSweeps sweeps(L, 1, 1, nullptr);
    const std::uint32_t row = L / 2, plane = L * row;
    std::vector<std::vector<bool>> all;
    for (std::uint32_t tile = 0; tile < sweeps.columns; ++tile) all.push_back(awaited(sweeps, tile));
    std::uint32_t missing = 0;
    for (std::uint32_t i = 0; i < plane; ++i) {
      const std::uint32_t x = i % row, first = i - x;
      for (const std::uint32_t other :
           {first + (x + 1) % row, first + (x + row - 1) % row, (i + row) % plane, (i + plane - row) % plane})
        if (!all[i / z_sweep_threads][other / z_sweep_threads]) ++missing;
    }
    EXPECT_EQ(missing, 0u) << "L = " << L;
  }
}

TEST(SlabTiles, have_every_plane_once) {
  for (std::uint32_t planes = 1; planes <= 300; ++planes)
    for (const std::uint32_t length : {slab_segment, 2 * slab_segment, 4 * slab_segment}) {
      const PlaneSegments segments = PlaneSegments::all_of_slab(planes, length);
      std::uint32_t next = 1;  // plane 0 is the ghost
      for (std::uint32_t k = 0; k < segments.count; ++k) {
        EXPECT_EQ(segments.begin_of(k), next);
        EXPECT_GT(segments.end_of(k), next);
        next = segments.end_of(k);
      }
      EXPECT_EQ(next, planes + 1);
    }
}

}  // namespace
}  // namespace psflip::cuda
