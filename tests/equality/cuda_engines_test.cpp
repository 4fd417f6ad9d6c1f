#include <random>

#include "bodies.hpp"
#include "engine/cpu/cpu.hpp"
#include "engine/cuda/cuda.hpp"

namespace psflip::equality {
namespace {

class CudaEquality : public testing::TestWithParam<NamedSystem> {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "no GPU on this machine";
  }
  const System& system() const { return GetParam().system; }
};

TEST_P(CudaEquality, the_trajectory_is_that_of_the_oracle) { compare_trajectories(system(), {cuda::make_engine}); }

TEST_P(CudaEquality, three_shards_are_the_pieces_of_one) { compare_three_shards(system(), cuda::make_engine); }

TEST_P(CudaEquality, a_restored_configuration_continues_as_in_the_oracle) {
  compare_restored(system(), cuda::make_engine);
}

TEST_P(CudaEquality, what_is_observed_is_of_the_moment_when_that_began) {
  compare_observed_later(system(), cuda::make_engine);
}

std::string name_of(const testing::TestParamInfo<NamedSystem>& test) { return test.param.name; }

INSTANTIATE_TEST_SUITE_P(Cuda, CudaEquality, testing::ValuesIn(all_systems()), name_of);

/// Larger lattices than the oracle can follow far: sizes that no SM holds and sizes on both sides of that limit.
class CudaSizes : public testing::TestWithParam<NamedSystem> {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "no GPU on this machine";
  }
};

TEST_P(CudaSizes, one_sweep_is_that_of_the_oracle) {
  oracle::Oracle oracle(GetParam().system);
  const auto engine = cuda::make_engine(GetParam().system);
  oracle.advance(3);
  engine->advance(3);
  expect_equal_state(*engine, oracle);
}

std::vector<NamedSystem> larger_systems() {
  std::vector<NamedSystem> systems;
  for (const int L : {14, 18, 20, 22, 24, 30, 32, 34}) {
    for (const Random random : {Random::shared, Random::independent}) {
      System s{Model::ea3d,       L, 0.9, 31, 34, L < 30 ? 4 : 2, 3, random, Packing::samples, Start::random,
               Couplings::bimodal};
      systems.push_back({"ea3d_L" + std::to_string(L) + (random == Random::shared ? "_shared" : "_independent"), s});
    }
  }
  for (const int L : {64, 200, 300}) {
    System s{Model::ising2d,        L, 0.44, 31, 34, 1, 3, Random::independent, Packing::samples, Start::random,
             Couplings::ferromagnet};
    systems.push_back({"ising2d_L" + std::to_string(L), s});
  }
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaSizes, testing::ValuesIn(larger_systems()), name_of);

NamedSystem shared_cubic(int L, int samples, int replicas) {
  const System s{Model::ea3d,
                 L,
                 0.9,
                 31,
                 static_cast<std::uint64_t>(samples),
                 replicas,
                 3,
                 Random::shared,
                 Packing::samples,
                 Start::random,
                 Couplings::bimodal};
  return {fmt::format("ea3d_L{}_samples{}_replicas{}", L, samples, replicas), s};
}

/// Sublattice blocks: numbers of half sweeps that are large enough for them, with odd and even starts, fewer and more
/// packs than the GPU holds at once, one group of four replicas and two. The CPU engine is the reference.
class CudaSublatticeBlocks : public CudaSizes {};

TEST_P(CudaSublatticeBlocks, long_runs_are_those_of_the_cpu) {
  const auto expected = cpu::make_engine(GetParam().system, 2, 0);
  const auto engine = cuda::make_engine(GetParam().system);
  for (const std::uint64_t half_sweeps : {3, 12, 65, 1}) {
    expected->advance(half_sweeps);
    engine->advance(half_sweeps);
    expect_equal_state(*engine, *expected);
  }
}

std::vector<NamedSystem> sublattice_systems() {
  std::vector<NamedSystem> systems;
  for (const auto& [samples, replicas] : {std::pair{34, 4}, {130, 4}, {7, 8}, {7, 5}}) {
    systems.push_back(shared_cubic(64, samples, replicas));
  }
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaSublatticeBlocks, testing::ValuesIn(sublattice_systems()), name_of);

/// Sizes with temporal blocking and one that is too large for it, with rows of an even and of an odd number of words,
/// one group of replicas and two, which must leave the spins in the same array. The CPU engine is the reference.
class CudaTemporalBlocking : public CudaSizes {};

TEST_P(CudaTemporalBlocking, sweeps_are_those_of_the_cpu) {
  const auto expected = cpu::make_engine(GetParam().system, 2, 0);
  const auto engine = cuda::make_engine(GetParam().system);
  for (const std::uint64_t half_sweeps : {2, 5, 7}) {
    expected->advance(half_sweeps);
    engine->advance(half_sweeps);
    expect_equal_state(*engine, *expected);
  }
}

std::vector<NamedSystem> temporal_blocking_systems() {
  std::vector<NamedSystem> systems;
  for (const auto& [L, samples, replicas] : {std::tuple{36, 35, 4},
                                             {38, 35, 2},
                                             {40, 70, 4},
                                             {42, 35, 5},
                                             {48, 300, 4},
                                             {64, 40, 3},
                                             {66, 70, 4},
                                             {66, 7, 5},
                                             {80, 35, 4},
                                             {90, 7, 3},
                                             {96, 7, 8},
                                             {128, 290, 4},
                                             {130, 3, 4},
                                             {182, 2, 5},
                                             {238, 1, 5},
                                             {256, 1, 6}}) {
    systems.push_back(shared_cubic(L, samples, replicas));
  }
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaTemporalBlocking, testing::ValuesIn(temporal_blocking_systems()), name_of);

/// Packed sites on lattices that stay in the shared memory of a block and on lattices that do not, with rows of an even
/// and of an odd number of words. The CPU engine, which equals the oracle, is the judge here.
class CudaSites : public CudaSizes {};

TEST_P(CudaSites, three_sweeps_and_a_restored_configuration_are_those_of_the_cpu) {
  const auto expected = cpu::make_engine(GetParam().system, 2, 0);
  const auto engine = cuda::make_engine(GetParam().system);
  expect_equal_state(*engine, *expected);
  for (const std::uint64_t half_sweeps : {1, 5}) {
    expected->advance(half_sweeps);
    engine->advance(half_sweeps);
    expect_equal_state(*engine, *expected);
  }
  engine->restore(7, expected->packed_spins());
  expected->restore(7, expected->packed_spins());
  engine->advance(2);
  expected->advance(2);
  expect_equal_state(*engine, *expected);
}

std::vector<NamedSystem> site_systems() {
  std::vector<NamedSystem> systems;
  for (const auto& [L, samples, beta] : {std::tuple{64, 300, 0.44068679350977147},
                                         {128, 200, 0.44068679350977147},
                                         {192, 7, 0.44068679350977147},
                                         {256, 7, 0.2},
                                         {320, 2, 0.44068679350977147},
                                         {384, 3, 0.05},
                                         {512, 264, 0.44068679350977147},
                                         {576, 3, 0.3},
                                         {896, 133, 0.44068679350977147},
                                         {1024, 3, 0.44068679350977147},
                                         {1024, 200, 0.7},
                                         {1088, 2, 0.1},
                                         {4096, 1, 0.44068679350977147},
                                         {8192, 1, 0.44068679350977147}}) {
    const System s{Model::ising2d,
                   L,
                   beta,
                   31,
                   static_cast<std::uint64_t>(samples),
                   1,
                   3,
                   Random::independent,
                   Packing::sites,
                   Start::random,
                   Couplings::ferromagnet};
    systems.push_back({"ising2d_sites_L" + std::to_string(L) + "_samples" + std::to_string(samples), s});
  }
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaSites, testing::ValuesIn(site_systems()), name_of);

/// Lattices on both sides of every border of the counting kernels: columns that fill a warp and that do not, lines that
/// share one, tails of eight steps, counts that fill a byte, traversals in several segments; several packs with ends
/// inside.
class CudaMeasurements : public CudaSizes {};

/// Replicas that are random, all -1, striped along each axis and almost ordered, one after the other.
PackedSigns patterns(const System& s) {
  std::mt19937 random(static_cast<std::uint32_t>(s.L));
  const auto L = static_cast<std::uint64_t>(s.L);
  std::vector<std::int8_t> spins;
  spins.reserve(s.samples * static_cast<std::uint64_t>(s.replicas) * s.sites());
  for (std::uint64_t k = 0; k < s.samples * static_cast<std::uint64_t>(s.replicas); ++k) {
    for (std::uint64_t site = 0; site < s.sites(); ++site) {
      const std::uint64_t coordinates[] = {site % L, site / L % L, site / (L * L)};
      const bool minus[] = {(random() & 1u) != 0,   true,
                            2 * coordinates[0] < L, 2 * coordinates[1] < L,
                            2 * coordinates[2] < L, random() % 64 == 0};
      spins.push_back(minus[k % 6] ? std::int8_t{-1} : std::int8_t{1});
    }
  }
  return pack_signs(spins, s.sites());
}

TEST_P(CudaMeasurements, are_those_of_the_oracle) {
  oracle::Oracle oracle(GetParam().system);
  const auto engine = cuda::make_engine(GetParam().system);
  const PackedSigns spins = patterns(GetParam().system);
  oracle.restore(4, spins);
  engine->restore(4, spins);
  expect_equal_state(*engine, oracle);
  expect_equal_state(*engine, oracle);  // a measurement leaves nothing behind for the next
}

std::vector<NamedSystem> measured_systems() {
  std::vector<NamedSystem> systems;
  const auto add = [&](const char* model, System s) {
    s.seed = 3;
    systems.push_back({fmt::format("{}_L{}_samples{}_replicas{}", model, s.L, s.samples, s.replicas), s});
  };
  struct Size {
    int L, samples, replicas;
  };
  const Size cubic[] = {{4, 70, 1}, {4, 70, 3}, {4, 70, 8},  {4, 48000, 8},  // more packs than are counted at once
                        {6, 70, 3}, {6, 35, 8}, {10, 35, 1}, {10, 66, 3},   {10, 35, 8}, {16, 35, 4}, {30, 7, 3},
                        {32, 7, 5}, {34, 7, 3}, {62, 6, 2},  {64, 3, 3},    {66, 3, 3},  {128, 2, 3}, {130, 2, 2}};
  for (const auto& [L, samples, replicas] : cubic) {
    add("ea3d", {Model::ea3d, L, 0.9, 31, static_cast<std::uint64_t>(samples), replicas, 0, Random::shared,
                 Packing::samples, Start::ordered, Couplings::bimodal});
  }
  for (const int L : {4, 6, 10, 62, 64, 66, 130, 248, 250, 496, 510}) {
    add("ising2d", {Model::ising2d, L, 0.44, 31, 35, 1, 0, Random::independent, Packing::samples, Start::ordered,
                    Couplings::ferromagnet});
  }
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaMeasurements, testing::ValuesIn(measured_systems()), name_of);

}  // namespace
}  // namespace psflip::equality
