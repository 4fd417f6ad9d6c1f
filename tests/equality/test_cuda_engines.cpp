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
  for (const int L : {14, 18, 20, 22, 32, 34}) {
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
  engine->restore(7, expected->spins());
  expected->restore(7, expected->spins());
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

}  // namespace
}  // namespace psflip::equality
