#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "bodies.hpp"
#include "engine/cpu/cpu.hpp"
#include "engine/cuda/cuda.hpp"
#include "engine/cuda/multi_gpu/device_of_rank.hpp"
#include "exchange_systems.hpp"

// Which GPU of a machine a process works on. One GPU is enough to run these tests, several make them strict.
namespace psflip::equality {
namespace {

class CudaDevices : public testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "no GPU on this machine";
    ASSERT_EQ(cudaGetDeviceCount(&count_), cudaSuccess);
  }
  void TearDown() override {
    if (count_ > 0) cuda::use_device_of(0);
  }
  int count_ = 0;
};

TEST_F(CudaDevices, are_taken_in_turn_by_the_ranks_of_a_machine) {
  for (int rank = 0; rank < 2 * count_ + 1; ++rank) {
    cuda::use_device_of(rank);
    int device = -1;
    ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(device, rank % count_);
    EXPECT_FALSE(cuda::device_name().empty());
  }
}

TEST_F(CudaDevices, simulate_the_same_exchange_monte_carlo) {
  const System system = all_exchange_systems()[1].system;
  const auto expected = cpu::make_engine(system, 1, 0);
  expected->advance(3);
  for (int rank = 0; rank < count_; ++rank) {
    cuda::use_device_of(rank);
    const auto engine = cuda::make_engine(system);
    engine->advance(3);
    expect_equal_state(*engine, *expected, system);
  }
}

TEST(CudaConnections, are_two_unless_the_environment_says_otherwise) {
  constexpr const char* name = "CUDA_DEVICE_MAX_CONNECTIONS";
  const char* before = std::getenv(name);
  const std::string kept = before == nullptr ? "" : before;
  unsetenv(name);
  cuda::limit_connections();
  EXPECT_STREQ(std::getenv(name), "2");
  setenv(name, "5", 1);
  cuda::limit_connections();
  EXPECT_STREQ(std::getenv(name), "5");
  if (before == nullptr)
    unsetenv(name);
  else
    setenv(name, kept.c_str(), 1);
}

}  // namespace
}  // namespace psflip::equality
