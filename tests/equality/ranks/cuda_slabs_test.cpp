#include "engine/cpu/cpu.hpp"
#include "gpu_ranks.hpp"
#include "tests/equality/engines/system_shapes.hpp"

// Lattices spread over ranks with a GPU each.
namespace psflip::equality {
namespace {

class CudaDecomposition : public SystemOnGpu {};

TEST_P(CudaDecomposition, the_trajectories_on_two_three_and_four_ranks_are_that_of_the_oracle) {
  compare_trajectories(system(), gpu_ranks(system(), {2, 3, 4}));
}

TEST_P(CudaDecomposition, a_restored_configuration_continues_on_three_ranks_as_in_the_oracle) {
  compare_restored(system(), {gpu_ranks(3)});
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaDecomposition, testing::ValuesIn(all_systems()), name_of_system);

/// Larger lattices, with the CPU engine as the reference: z-segments of all lengths, sizes with kernels of their own.
class CudaSlabs : public SystemOnGpu {
 protected:
  std::unique_ptr<Engine> slabs_on(int ranks) const { return gpu_ranks(ranks).make(system()); }
};

TEST_P(CudaSlabs, sweeps_on_two_and_three_ranks_are_those_of_the_cpu) {
  const auto expected = cpu::make_engine(system(), 2, 0);
  const auto two = slabs_on(2), three = slabs_on(3);
  for (const std::uint64_t half_sweeps : {3, 8, 1}) {
    expected->advance(half_sweeps);
    for (const auto& [name, engine] : {std::pair("two ranks", &two), std::pair("three ranks", &three)}) {
      SCOPED_TRACE(fmt::format("{} after {} half sweeps", name, expected->rounds()));
      (*engine)->advance(half_sweeps);
      expect_equal_state(**engine, *expected, system());
    }
  }
}

TEST_P(CudaSlabs, planes_that_the_ranks_send_are_the_same) {
  const auto expected = cpu::make_engine(system(), 2, 0);
  const auto slabs = slabs_on(2);
  setenv("PSFLIP_HALO", "host", 1);
  slabs->advance(5);
  unsetenv("PSFLIP_HALO");
  EXPECT_EQ(slabs->halo(), "host");
  expected->advance(5);
  expect_equal_state(*slabs, *expected, system());
}

TEST_P(CudaSlabs, a_full_lattice_and_its_slabs_continue_each_other) {
  const auto expected = cpu::make_engine(system(), 2, 0), full = cuda::make_engine(system()), slabs = slabs_on(3);
  expected->advance(9);
  slabs->advance(4);
  full->restore_spins(0, slabs->packed_spins());
  full->restore(4);
  full->advance(3);
  slabs->restore_spins(0, full->packed_spins());
  slabs->restore(7);
  slabs->advance(2);
  expect_equal_state(*slabs, *expected, system());
}

std::vector<NamedSystem> slab_systems() {
  std::vector<NamedSystem> systems;
  for (const Shape& shape :
       {Shape{14, 34, 4}, {16, 70, 5}, {18, 35, 2}, {24, 130, 4}, {32, 35, 3}, {64, 34, 4}, {64, 3}})
    for (const Random random : {Random::shared, Random::independent}) systems.push_back(spin_glass(shape, random));
  for (const Shape& shape : {Shape{128, 33, 4}, {130, 2, 4}, {256, 2, 4}})  // with and without kernels of their own
    systems.push_back(spin_glass(shape, Random::shared));
  // thresholds that begin with fewer zeros, on sizes whose warps are complete and are not
  for (const double beta : {0.3, 0.6})
    for (const Shape& shape : {Shape{14, 34, 4}, {16, 70, 4}})
      systems.push_back(spin_glass(shape, Random::independent, beta));
  for (const int L : {62, 130, 300}) systems.push_back(square_ferromagnet({L, 34}, Packing::samples));
  for (const double beta : {0.1, 0.44, 0.9})
    for (const Shape& shape : {Shape{64, 300}, {192, 7}, {1024, 3}, {4096, 1}})
      systems.push_back(square_ferromagnet(shape, Packing::sites, beta));
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaSlabs, testing::ValuesIn(slab_systems()), name_of_system);

}  // namespace
}  // namespace psflip::equality
