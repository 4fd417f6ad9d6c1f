#include "engine/cpu/cpu.hpp"
#include "engine/cuda/cuda.hpp"
#include "tempering_bodies.hpp"

namespace psflip::equality {
namespace {

class CudaTempering : public testing::TestWithParam<NamedTempering> {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "no GPU on this machine";
  }
  const TemperingSystem& system() const { return GetParam().system; }
};

TEST_P(CudaTempering, whole_runs_are_those_of_the_oracle) { compare_tempering(system(), {cuda::make_tempering}); }

TEST_P(CudaTempering, a_restored_state_continues_as_in_the_oracle) {
  compare_restored_tempering(system(), cuda::make_tempering);
}

std::string name_of(const testing::TestParamInfo<NamedTempering>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Cuda, CudaTempering, testing::ValuesIn(all_tempering_systems()), name_of);

/// Sizes with kernels of their own and sizes on both sides of what a block can hold, and the shapes of large jobs; the
/// CPU engine, which equals the oracle, is the judge.
class CudaTemperingSizes : public CudaTempering {};

TEST_P(CudaTemperingSizes, rounds_and_a_restored_state_are_those_of_the_cpu) {
  const auto expected = cpu::make_tempering(system(), 2, 0);
  const auto engine = cuda::make_tempering(system());
  EXPECT_TRUE(equal("fields", engine->fields(), expected->fields()));
  for (const std::uint64_t rounds : {1, 2}) {
    expected->advance(rounds);
    engine->advance(rounds);
    expect_equal_tempering(*engine, *expected, system().slots());
  }
  const auto other = cuda::make_tempering(system());
  for (std::size_t slot = 0; slot < system().slots(); ++slot) other->restore_spins(slot, engine->packed_spins(slot));
  other->restore(engine->rounds(), engine->flow_labels(), engine->sums());
  other->advance(1);
  expected->advance(1);
  expect_equal_tempering(*other, *expected, system().slots());
}

std::vector<NamedTempering> sizes() {
  std::vector<NamedTempering> systems;
  const auto add = [&](int L, double h, std::size_t slots, std::uint64_t samples, std::uint64_t interval,
                       std::uint64_t measured_rounds = 1) {
    TemperingSystem s;
    s.model = Model::rfim3d;
    s.L = L;
    s.h = h;
    for (std::size_t k = 0; k < slots; ++k) s.betas.push_back(1 / (3.6 + 0.03 * static_cast<double>(k)));
    s.first_sample = 31;
    s.samples = samples;
    s.replicas = tempering_sets;
    s.seed = 11;
    s.exchange_interval = interval;
    s.measure_interval = measured_rounds * interval;
    const std::string every = measured_rounds > 1 ? fmt::format("_measured_every_{}", measured_rounds) : "";
    systems.push_back({fmt::format("L{}_h{}_slots{}_samples{}{}", L, h, slots, samples, every), s});
  };
  add(8, 1, 24, 100, 10);
  add(16, 1, 24, 35, 2);
  for (const int L : {16, 26, 30, 32, 34, 38, 44, 48, 64}) add(L, 1, 3, 33, 1);
  for (const int L : {16, 40}) add(L, 0, 2, 33, 1);
  for (const int L : {16, 40}) add(L, 3, 2, 33, 1);
  add(32, 1, 5, 33, 1, 2);
  add(64, 1, 2, 33, 1, 4);
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaTemperingSizes, testing::ValuesIn(sizes()), name_of);

}  // namespace
}  // namespace psflip::equality
