#include <gtest/gtest.h>

#include <random>

#include "engine/laboratory/device/gpu.hpp"
#include "engine/laboratory/device/tiles/tiles.hpp"
#include "engine/laboratory/multi_hit/rounds.hpp"
#include "engine/laboratory/multi_hit/thread_numbers.hpp"

// The double checkerboard on the GPU: spins, energies and magnetizations of the CPU for every generator.
namespace psflip::laboratory {
namespace {

MultiHitPlan plan_of(const std::string& generator, int dimension, int L, int tile, int hits) {
  MultiHitPlan plan;
  for (const Preset& preset : presets)
    if (!preset.has_random_bonds() && !preset.has_random_field() && preset.dimension == dimension)
      plan.preset = &preset;
  plan.L = L;
  plan.tile = tile;
  plan.hits = hits;
  plan.beta = dimension == 2 ? 0.43 : 0.22;
  plan.generator = generator;
  plan.seed = 5;
  plan.discarded = 20;
  plan.sweeps = 200;
  return plan;
}

template <int D>
void expect_equal_spins(const MultiHitPlan& plan) {
  const std::size_t sites = static_cast<std::size_t>(sites_of(plan));
  std::mt19937 random(1);
  std::vector<std::int8_t> spins(sites);
  for (std::int8_t& spin : spins) spin = random() % 2 == 0 ? 1 : -1;
  const auto on_gpu = device::make_tiles(plan, spins, 1);
  EXPECT_EQ(on_gpu->spins(), spins);
  TiledFerromagnet<D> lattice(plan.L, plan.tile, spins, flip_thresholds<D>(plan.beta));
  with_thread_generator(plan.generator, lattice.threads(), lattice.blocks(), plan.seed, [&](auto& numbers) {
    for (int round = 0; round < 5; ++round)
      for (const int parity : {0, 1}) {
        on_gpu->update(parity, plan.hits);
        lattice.update(parity, plan.hits, numbers);
      }
  });
  EXPECT_TRUE(on_gpu->spins() == lattice.spins()) << "L " << plan.L << ", tile " << plan.tile;
  on_gpu->measure(0, true);
  const device::TileSums found = on_gpu->take(1).front();
  EXPECT_EQ(found.energy, lattice.energy());
  EXPECT_EQ(found.magnetization, lattice.magnetization());
}

class CudaTiles : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (device::gpu_name().empty()) GTEST_SKIP() << "no GPU";
  }
};

TEST_P(CudaTiles, have_the_spins_of_the_CPU) {
  for (const int tile : {2, 4, 8, 16, 32}) expect_equal_spins<2>(plan_of(GetParam(), 2, 128, tile, 3));
  for (const int hits : {1, 2, 7}) expect_equal_spins<2>(plan_of(GetParam(), 2, 96, 12, hits));
  for (const int tile : {2, 4, 8, 16}) expect_equal_spins<3>(plan_of(GetParam(), 3, 32, tile, 3));
}

/// More bytes of shared memory than a launch has without a request.
TEST_P(CudaTiles, of_large_size_have_the_spins_of_the_CPU) {
  expect_equal_spins<2>(plan_of(GetParam(), 2, 512, 256, 2));
  expect_equal_spins<3>(plan_of(GetParam(), 3, 72, 36, 2));
}

TEST_P(CudaTiles, have_the_series_of_the_CPU) {
  for (const Order order : {Order::naive, Order::symmetric}) {
    MultiHitPlan plan = plan_of(GetParam(), 2, 64, 16, 4);
    plan.order = order;
    const MultiHitSeries cpu = run_tiles(plan), gpu = device::run_tiles(plan);
    EXPECT_EQ(gpu.energy, cpu.energy);
    EXPECT_EQ(gpu.magnetization, cpu.magnetization);
    EXPECT_EQ(gpu.sweeps_between, cpu.sweeps_between);
    EXPECT_EQ(gpu.flips, cpu.flips);
  }
}

INSTANTIATE_TEST_SUITE_P(Generator, CudaTiles, testing::ValuesIn(thread_generators()),
                         [](const auto& generator) { return generator.param; });

TEST(CudaTileMemory, counts_the_copy_of_the_tile_and_the_sequence_of_a_block) {
  const Preset& square = *plan_of("lcg32", 2, 8, 4, 1).preset;
  EXPECT_EQ(device::tile_shared_bytes(square, 16, "lcg32"), 4U * (1 + 18 * 18 / 4));
  EXPECT_EQ(device::tile_shared_bytes(square, 16, "mt19937"), 4U * (1 + 624 + 18 * 18 / 4));
  if (device::gpu_name().empty()) GTEST_SKIP() << "no GPU";
  EXPECT_GT(device::tile_shared_bytes(square, 1024, "lcg32"), device::most_tile_shared_bytes());
  EXPECT_LT(device::tile_shared_bytes(square, 128, "fibonacci1279"), device::most_tile_shared_bytes());
}

TEST(CudaTilesOfManyMeasurements, continue_after_a_copy_to_the_host) {
  if (device::gpu_name().empty()) GTEST_SKIP() << "no GPU";
  MultiHitPlan plan = plan_of("lcg64", 2, 8, 4, 1);
  plan.sweeps = 200000;
  EXPECT_TRUE(device::run_tiles(plan).energy == run_tiles(plan).energy);
}

}  // namespace
}  // namespace psflip::laboratory
