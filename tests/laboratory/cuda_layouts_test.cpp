#include <gtest/gtest.h>

#include "engine/laboratory/device/device_glass.hpp"
#include "engine/laboratory/device/gpu.hpp"
#include "tests/oracle/oracle.hpp"

// Every layout on the GPU gives the bits of the oracle, at every launch shape.
namespace psflip::laboratory {
namespace {

class CudaLayouts : public testing::TestWithParam<int> {};

TEST_P(CudaLayouts, have_the_spins_of_the_oracle) {
  if (device::gpu_name().empty()) GTEST_SKIP() << "no GPU";
  const System system = glass_system(GetParam(), 0.9, GetParam() <= 10 ? 2 : 1, 20240607);
  oracle::Oracle oracle(system);
  oracle.advance(5);
  const std::vector<std::int8_t> expected = oracle.spins();
  for_each_layout([&]<class Layout>() {
    if (!Layout::allows(static_cast<std::uint32_t>(GetParam()))) return;
    for (const device::Shape shape : {device::Shape{64, 1}, device::Shape{256, 4}})
      EXPECT_TRUE(device::spins_after<Layout>(system, 5, shape) == expected) << Layout::name;
  });
}

// Where no flip depends on a number, all generators give the same spins. Sites behind the last full round are updated
// too.
TEST_P(CudaLayouts, have_with_mtgp32_the_spins_of_the_oracle_at_zero_temperature) {
  if (device::gpu_name().empty()) GTEST_SKIP() << "no GPU";
  const System system = glass_system(GetParam(), 100, 2, 20240607);
  oracle::Oracle oracle(system);
  oracle.advance(5);
  const std::vector<std::int8_t> expected = oracle.spins();
  for_each_layout([&]<class Layout>() {
    if (!Layout::allows(static_cast<std::uint32_t>(GetParam()))) return;
    EXPECT_TRUE(device::spins_after_mtgp32<Layout>(system, 5, 3, 64) == expected) << Layout::name;
  });
}

INSTANTIATE_TEST_SUITE_P(L, CudaLayouts, testing::Values(4, 6, 8, 10, 16, 32), testing::PrintToStringParamName());

}  // namespace
}  // namespace psflip::laboratory
