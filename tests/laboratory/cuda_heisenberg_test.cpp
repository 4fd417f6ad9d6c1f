#include <gtest/gtest.h>

#include <cmath>

#include "engine/laboratory/device/gpu.hpp"
#include "engine/laboratory/device/tiles/heisenberg.hpp"
#include "engine/laboratory/heisenberg/run.hpp"

// The 2D Heisenberg model on the GPU: the bits of the CPU with polynomials, the same energies with other functions.
namespace psflip::laboratory {
namespace {

class CudaHeisenberg : public testing::Test {
 protected:
  void SetUp() override {
    if (device::gpu_name().empty()) GTEST_SKIP() << "no GPU";
  }
};

TEST_F(CudaHeisenberg, has_the_bits_of_the_CPU_with_polynomials) {
  for (const std::string precision : {"double", "float"})
    for (const double cap : {2.0, 0.4})
      for (const auto& [L, tile, hits] : {std::array{4, 2, 1}, {8, 2, 3}, {24, 6, 2}, {128, 16, 5}, {256, 64, 2}}) {
        const HeisenbergPlan plan{.L = L, .tile = tile, .hits = hits, .beta = 1.2, .cap = cap, .seed = 3};
        const auto on_cpu = make_heisenberg(precision, plan), on_gpu = device::make_heisenberg(precision, plan);
        EXPECT_EQ(on_gpu->spins(), on_cpu->spins());
        on_cpu->advance(3);
        on_gpu->advance(3);
        EXPECT_EQ(on_gpu->spins(), on_cpu->spins()) << precision << ", L " << L << ", tile " << tile << ", cap " << cap;
        const SpinSums a = on_cpu->sums(), b = on_gpu->sums();
        EXPECT_NEAR(a.energy, b.energy, 1e-11 * L * L);
        EXPECT_NEAR(a.x, b.x, 1e-11 * L * L);
        EXPECT_NEAR(a.y, b.y, 1e-11 * L * L);
        EXPECT_NEAR(a.z, b.z, 1e-11 * L * L);
        EXPECT_NEAR(a.deviation, b.deviation, 1e-15 * L * L);
      }
}

TEST_F(CudaHeisenberg, has_the_same_energy_in_all_precisions) {
  std::vector<HeisenbergEstimates> all;
  for (const std::string& precision : precision_names())
    for (const double cap : {2.0, 0.6}) {
      const HeisenbergPlan plan{
          .L = 128, .tile = 16, .hits = 2, .beta = 1, .cap = cap, .seed = 3 + static_cast<std::uint32_t>(all.size())};
      const auto lattice = device::make_heisenberg(precision, plan);
      const HeisenbergRun run = run_heisenberg(*lattice, plan, 6400, 640);
      all.push_back(estimates_of(run, plan, 32));
      EXPECT_LT(run.lengths.back().deviation, precision.starts_with("double") ? 1e-15 : 1e-6) << precision;
    }
  // 27 differences with a fixed seed: the largest exceeds 4 sigma with probability 0.002.
  const HeisenbergEstimates& first = all.front();
  for (const HeisenbergEstimates& found : all) {
    EXPECT_LT(std::abs(found.e.mean - first.e.mean), 4 * std::hypot(found.e.mean_error, first.e.mean_error));
    EXPECT_LT(std::abs(found.C - first.C), 4 * std::hypot(found.C_error, first.C_error));
    EXPECT_LT(std::abs(found.m.mean - first.m.mean), 4 * std::hypot(found.m.mean_error, first.m.mean_error));
    EXPECT_LT(found.e.mean_error, 1e-3);
  }
}

}  // namespace
}  // namespace psflip::laboratory
