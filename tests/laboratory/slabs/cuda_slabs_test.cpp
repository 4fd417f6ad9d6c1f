#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "engine/laboratory/device/slabs/gpus.hpp"
#include "engine/laboratory/device/square.hpp"
#include "engine/laboratory/ising2d/slab.hpp"
#include "tests/oracle/oracle.hpp"

// One square lattice in slabs on GPUs: the bits of the oracle for any number of slabs and both memories. On a machine
// with one GPU all slabs share it; the tests of different GPUs skip.
namespace psflip::laboratory {
namespace {

using device::SlabMemory;
using device::SlabPlan;

constexpr double beta = 0.4406867935097715;

std::string memory_name(SlabMemory memory) { return memory == SlabMemory::peer ? "peer" : "managed"; }

System square_system(int L) {
  System system;
  system.model = Model::ising2d;
  system.L = L;
  system.betas = {beta};
  system.first_sample = 37;
  system.samples = 1;
  system.seed = 7;
  system.round.half_sweeps = 1;
  return system;
}

class CudaSlabs : public testing::TestWithParam<SlabMemory> {
 protected:
  void SetUp() override {
    if (device::gpu_count() == 0) GTEST_SKIP() << "no GPU";
  }
  static SlabPlan plan(std::vector<int> devices, int rows) { return {std::move(devices), GetParam(), rows}; }

  static void expect_the_spins_of_the_oracle(const std::vector<int>& devices, int L) {
    const System system = square_system(L);
    oracle::Oracle oracle(system);
    const std::vector<std::int8_t> start = oracle.spins();
    oracle.advance(9);
    for (const std::string& name : variant_names()) {
      if (L % size_unit(name) != 0 || L % (rows_unit(name) * static_cast<int>(devices.size())) != 0) continue;
      const auto lattice = device::make_square(name, {L, beta, start}, addressed_numbers(system), plan(devices, L));
      EXPECT_EQ(lattice->spins(), start) << name;
      lattice->advance(4);
      lattice->advance(5);
      EXPECT_EQ(lattice->spins(), oracle.spins()) << name << " in " << devices.size() << " slabs of L = " << L;
    }
  }
};

TEST_P(CudaSlabs, on_one_GPU_have_the_spins_of_the_oracle) {
  for (const std::size_t slabs : {1, 2, 3, 4, 6})
    for (const int L : {12, 24, 192}) expect_the_spins_of_the_oracle(std::vector<int>(slabs, 0), L);
}

TEST_P(CudaSlabs, on_several_GPUs_have_the_spins_of_the_oracle) {
  if (device::gpu_count() < 2) GTEST_SKIP() << "one GPU";
  std::vector<int> all;
  for (int gpu = 0; gpu < device::gpu_count(); ++gpu) all.push_back(gpu);
  for (const std::vector<int>& devices : {std::vector<int>{0, 1}, {1, 0, 1}, {0, 0, 1, 1}, all})
    for (const int L : {24, 192, 768}) expect_the_spins_of_the_oracle(devices, L);
}

/// Long enough for a half sweep that starts too early to show.
TEST_P(CudaSlabs, of_a_rectangle_have_the_same_spins_on_any_number_of_GPUs) {
  constexpr int L = 256;
  const int count = std::max(2, device::gpu_count());
  for (const std::string& name : variant_names()) {
    const auto one = device::make_square(name, {L, beta, {}}, sequence_numbers(5, L), plan({0}, count * L));
    std::vector<int> devices;
    for (int i = 0; i < count; ++i) devices.push_back(i % device::gpu_count());
    const auto cut = device::make_square(name, {L, beta, {}}, sequence_numbers(5, L), plan(devices, count * L));
    one->advance(400);
    cut->advance(400);
    EXPECT_EQ(cut->spins(), one->spins()) << name << " on " << count << " GPUs";
  }
}

TEST_P(CudaSlabs, of_floats_have_the_exact_energy_at_a_high_temperature) {
  constexpr int L = 1024;
  const auto lattice = device::make_basic_of_floats({L, 0.3, {}}, 11, plan({0, 0}, L));
  const auto energy = [&] {
    const std::vector<std::int8_t> spins = lattice->spins();
    double sum = 0;
    for (std::size_t y = 0; y < L; ++y)
      for (std::size_t x = 0; x < L; ++x)
        sum -= spins[y * L + x] * (spins[y * L + (x + 1) % L] + spins[(y + 1) % L * L + x]);
    return sum / (L * L);
  };
  lattice->advance(400);
  double mean = 0;
  constexpr int measurements = 20;
  for (int i = 0; i < measurements; ++i) {
    lattice->advance(20);
    mean += energy() / measurements;
  }
  // Onsager at beta = 0.3; the error of the mean is about 3e-4.
  EXPECT_NEAR(mean, -0.704499, 2e-3);
}

TEST_P(CudaSlabs, refuse_rows_that_cannot_be_cut) {
  EXPECT_THROW(device::make_square("tensor", {64, beta, {}}, sequence_numbers(5, 64), plan({0, 0, 0}, 64)),
               std::invalid_argument);
  EXPECT_THROW(device::make_square("basic", {64, beta, {}}, sequence_numbers(5, 64), plan({}, 64)),
               std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Memory, CudaSlabs, testing::Values(SlabMemory::peer, SlabMemory::managed),
                         [](const auto& tested) { return memory_name(tested.param); });

}  // namespace
}  // namespace psflip::laboratory
