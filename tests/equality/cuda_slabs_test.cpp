#include "engine/cpu/cpu.hpp"
#include "engine/cuda/cuda.hpp"
#include "engine/cuda/multi_gpu/device_of_rank.hpp"
#include "ranked_engine.hpp"

// Lattices spread over ranks with a GPU each, which are threads here and share the GPUs of this machine.
namespace psflip::equality {
namespace {

std::unique_ptr<DomainEngine> make_slab(const System& system, const Planes& planes, int rank) {
  cuda::use_device_of(rank);
  auto slab = cuda::make_domain(system, planes);
  cuda::use_device_of(0);
  return slab;
}

MakeEngine slabs_on(int ranks) {
  return [=](const System& system) { return std::make_unique<RankedEngine>(system, ranks, make_slab); };
}

class CudaDecomposition : public testing::TestWithParam<NamedSystem> {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "no GPU on this machine";
  }
  const System& system() const { return GetParam().system; }
};

TEST_P(CudaDecomposition, the_trajectories_on_two_three_and_four_ranks_are_that_of_the_oracle) {
  compare_trajectories(system(), {slabs_on(2), slabs_on(3), slabs_on(4)});
}

TEST_P(CudaDecomposition, a_restored_configuration_continues_on_three_ranks_as_in_the_oracle) {
  compare_restored(system(), slabs_on(3));
}

std::string name_of(const testing::TestParamInfo<NamedSystem>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Cuda, CudaDecomposition, testing::ValuesIn(all_systems()), name_of);

/// Larger lattices, with the CPU engine as the judge: runs of planes of all lengths, sizes with kernels of their own.
class CudaSlabs : public testing::TestWithParam<NamedSystem> {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "no GPU on this machine";
  }
};

TEST_P(CudaSlabs, sweeps_on_two_and_three_ranks_are_those_of_the_cpu) {
  const auto expected = cpu::make_engine(GetParam().system, 2, 0);
  const auto two = slabs_on(2)(GetParam().system), three = slabs_on(3)(GetParam().system);
  for (const std::uint64_t half_sweeps : {3, 8, 1}) {
    expected->advance(half_sweeps);
    for (const auto& [name, engine] : {std::pair("two ranks", &two), std::pair("three ranks", &three)}) {
      SCOPED_TRACE(fmt::format("{} after {} half sweeps", name, expected->half_sweeps()));
      (*engine)->advance(half_sweeps);
      expect_equal_state(**engine, *expected);
    }
  }
}

TEST_P(CudaSlabs, planes_that_go_through_the_host_are_the_same) {
  const auto expected = cpu::make_engine(GetParam().system, 2, 0);
  const auto slabs = slabs_on(2)(GetParam().system);
  setenv("PSFLIP_HALO", "host", 1);
  slabs->advance(5);
  unsetenv("PSFLIP_HALO");
  EXPECT_EQ(slabs->halo(), "host");
  expected->advance(5);
  expect_equal_state(*slabs, *expected);
}

TEST_P(CudaSlabs, a_whole_lattice_and_its_slabs_continue_each_other) {
  const auto expected = cpu::make_engine(GetParam().system, 2, 0), whole = cuda::make_engine(GetParam().system);
  const auto slabs = slabs_on(3)(GetParam().system);
  expected->advance(9);
  slabs->advance(4);
  whole->restore(4, slabs->packed_spins());
  whole->advance(3);
  slabs->restore(7, whole->packed_spins());
  slabs->advance(2);
  expect_equal_state(*slabs, *expected);
}

struct Size {
  int L;
  std::uint64_t samples;
  int replicas = 1;
};

NamedSystem cubic(const Size& size, Random random, double beta) {
  const System s{
      Model::ea3d,       size.L, beta, 31, size.samples, size.replicas, 3, random, Packing::samples, Start::random,
      Couplings::bimodal};
  return {fmt::format("ea3d_{}_L{}_samples{}_replicas{}_beta{:.0f}",
                      random == Random::shared ? "shared" : "independent", s.L, s.samples, s.replicas, 100 * beta),
          s};
}

NamedSystem square(const Size& size, Packing packing, double beta) {
  const System s{
      Model::ising2d,        size.L, beta, 31, size.samples, 1, 3, Random::independent, packing, Start::random,
      Couplings::ferromagnet};
  return {fmt::format("ising2d_{}_L{}_samples{}_beta{:.0f}", packing == Packing::sites ? "sites" : "samples", s.L,
                      s.samples, 100 * beta),
          s};
}

std::vector<NamedSystem> slab_systems() {
  std::vector<NamedSystem> systems;
  for (const Size& size : {Size{14, 34, 4}, {16, 70, 5}, {18, 35, 2}, {24, 130, 4}, {32, 35, 3}, {64, 34, 4}, {64, 3}})
    for (const Random random : {Random::shared, Random::independent}) systems.push_back(cubic(size, random, 0.9));
  for (const Size& size : {Size{128, 33, 4}, {130, 2, 4}, {256, 2, 4}})  // with and without kernels of their own
    systems.push_back(cubic(size, Random::shared, 0.9));
  // thresholds that begin with fewer zeros, on sizes whose warps are complete and are not
  for (const double beta : {0.3, 0.6})
    for (const Size& size : {Size{14, 34, 4}, {16, 70, 4}}) systems.push_back(cubic(size, Random::independent, beta));
  for (const int L : {62, 130, 300}) systems.push_back(square({L, 34}, Packing::samples, 0.44));
  for (const double beta : {0.1, 0.44, 0.9})
    for (const Size& size : {Size{64, 300}, {192, 7}, {1024, 3}, {4096, 1}})
      systems.push_back(square(size, Packing::sites, beta));
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaSlabs, testing::ValuesIn(slab_systems()), name_of);

}  // namespace
}  // namespace psflip::equality
