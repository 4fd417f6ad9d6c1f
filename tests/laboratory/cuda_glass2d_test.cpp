#include <gtest/gtest.h>

#include "engine/laboratory/device/gpu.hpp"
#include "engine/laboratory/device/square_glass.hpp"
#include "tests/oracle/oracle.hpp"

// The 2D spin glass on the GPU, in bytes and words, has the bits of the oracle at every launch shape.
namespace psflip::laboratory {
namespace {

class CudaGlass2d : public testing::TestWithParam<int> {};

TEST_P(CudaGlass2d, has_the_spins_of_the_oracle) {
  if (device::gpu_name().empty()) GTEST_SKIP() << "no GPU";
  const System system = square_glass_system(GetParam(), 0.7, 192, 1, 20240607);
  oracle::Oracle oracle(system);
  oracle.advance(3);
  const std::vector<std::int8_t> expected = oracle.spins();
  for_each_glass_storage([&]<class E>() {
    for (const unsigned threads : {32u, 128u})
      EXPECT_TRUE(device::glass_spins_after<E>(system, 6, threads) == expected) << GlassStorage<E>::name;
  });
}
INSTANTIATE_TEST_SUITE_P(L, CudaGlass2d, testing::Values(4, 6, 10, 16, 44), testing::PrintToStringParamName());

TEST(CudaGlass2d, is_timed_with_every_generator) {
  if (device::gpu_name().empty()) GTEST_SKIP() << "no GPU";
  const System system = square_glass_system(16, 0.7, 192, 1, 1);
  for_each_glass_storage([&]<class E>() {
    for (const std::string& generator : glass_generators()) {
      const device::GlassTime best = device::time_glass_sweep<E>(system, generator, 1e-3);
      EXPECT_GT(best.threads_per_block, 0U) << generator;
    }
  });
}

}  // namespace
}  // namespace psflip::laboratory
