#include <gtest/gtest.h>

#include <cmath>

#include "engine/laboratory/device/gpu.hpp"
#include "engine/laboratory/device/square.hpp"
#include "tests/oracle/oracle.hpp"

// The variants of the 2D Ising model on the GPU: the bits of the oracle with addressed numbers, those of the CPU with
// the numbers of the paper.
namespace psflip::laboratory {
namespace {

constexpr double beta = 0.4406867935097715;

class CudaSquareVariants : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (device::gpu_name().empty()) GTEST_SKIP() << "no GPU";
  }
  static bool allows(const std::string& name) { return GetParam() % size_unit(name) == 0; }
};

TEST_P(CudaSquareVariants, have_the_spins_of_the_oracle) {
  for (const Packing packing : {Packing::samples, Packing::sites}) {
    if (packing == Packing::sites && GetParam() % 64 != 0) continue;
    System system;
    system.model = Model::ising2d;
    system.L = GetParam();
    system.betas = {beta};
    system.first_sample = 37;
    system.samples = 1;
    system.seed = 7;
    system.packing = packing;
    system.round.half_sweeps = 1;
    oracle::Oracle oracle(system);
    const std::vector<std::int8_t> start = oracle.spins();
    oracle.advance(9);
    for (const std::string& name : variant_names()) {
      if (!allows(name)) continue;
      const auto variant = device::make_square(name, {system.L, beta, start}, addressed_numbers(system));
      EXPECT_EQ(variant->spins(), start) << name;
      variant->advance(9);
      EXPECT_EQ(variant->spins(), oracle.spins()) << name;
    }
  }
}

TEST_P(CudaSquareVariants, have_the_spins_of_the_CPU_with_the_numbers_of_the_paper) {
  const int L = GetParam();
  for (const std::string& name : variant_names()) {
    if (!allows(name)) continue;
    const IsingSquare square{L, beta, random_square(L, 3)};
    const auto on_cpu = make_variant(name, square, sequence_numbers(5, L));
    const auto on_gpu = device::make_square(name, square, sequence_numbers(5, L));
    on_cpu->advance(10);
    on_gpu->advance(10);
    EXPECT_EQ(on_gpu->spins(), on_cpu->spins()) << name;
  }
}

TEST_P(CudaSquareVariants, start_ordered_without_spins) {
  const int L = GetParam();
  for (const std::string& name : variant_names()) {
    if (!allows(name)) continue;
    const auto variant = device::make_square(name, {L, beta, {}}, sequence_numbers(5, L));
    EXPECT_EQ(variant->spins(), std::vector<std::int8_t>(static_cast<std::size_t>(L) * static_cast<std::size_t>(L), 1));
  }
}

INSTANTIATE_TEST_SUITE_P(L, CudaSquareVariants, testing::Values(4, 6, 10, 32, 64, 96, 192, 512),
                         testing::PrintToStringParamName());

TEST(CudaBasicOfFloats, has_the_exact_energy_at_the_critical_temperature) {
  if (device::gpu_name().empty()) GTEST_SKIP() << "no GPU";
  constexpr int L = 1024;
  const auto variant = device::make_basic_of_floats({L, 0.3, {}}, 11);
  const auto energy = [&] {
    const std::vector<std::int8_t> spins = variant->spins();
    double sum = 0;
    for (std::size_t y = 0; y < L; ++y)
      for (std::size_t x = 0; x < L; ++x)
        sum -= spins[y * L + x] * (spins[y * L + (x + 1) % L] + spins[(y + 1) % L * L + x]);
    return sum / (L * L);
  };
  variant->advance(400);
  double mean = 0;
  constexpr int measurements = 50;
  for (int i = 0; i < measurements; ++i) {
    variant->advance(20);
    mean += energy() / measurements;
  }
  // Onsager at beta = 0.3, far from the critical point; the error of the mean is about 2e-4.
  EXPECT_NEAR(mean, -0.704499, 2e-3);
}

}  // namespace
}  // namespace psflip::laboratory
