#include "engine/cpu/cpu.hpp"
#include "engine/cuda/cuda.hpp"
#include "ranked_tempering.hpp"

// Temperature slots spread over ranks that share one GPU.
namespace psflip::equality {
namespace {

MakeTempering ranked(std::size_t ranks) { return on_ranks(static_cast<int>(ranks), cuda::make_tempering_part); }

class CudaTemperingParts : public testing::TestWithParam<NamedTempering> {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "no GPU on this machine";
  }
  const TemperingSystem& system() const { return GetParam().system; }
};

TEST_P(CudaTemperingParts, whole_runs_on_one_to_five_ranks_are_those_of_the_oracle) {
  std::vector<MakeTempering> factories;
  for (const std::size_t ranks : {1, 2, 3, 5})  // five: often one slot each
    if (ranks <= system().slots()) factories.push_back(ranked(ranks));
  compare_tempering(system(), factories);
}

TEST_P(CudaTemperingParts, a_restored_state_continues_on_two_ranks_as_in_the_oracle) {
  compare_restored_tempering(system(), ranked(2));
}

std::string name_of(const testing::TestParamInfo<NamedTempering>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Cuda, CudaTemperingParts, testing::ValuesIn(all_tempering_systems()), name_of);

/// The state of `from` in a new engine.
std::unique_ptr<TemperingEngine> continued(const TemperingEngine& from, const TemperingSystem& system,
                                           const MakeTempering& make) {
  auto engine = make(system);
  for (std::size_t slot = 0; slot < system.slots(); ++slot) engine->restore_spins(slot, from.packed_spins(slot));
  engine->restore(from.rounds(), from.flow_labels(), from.sums());
  return engine;
}

/// Grids of many slots, lattices within and beyond the shared memory of a block; the CPU engine, which equals the
/// oracle, is the judge.
class CudaTemperingPartSizes : public CudaTemperingParts {};

TEST_P(CudaTemperingPartSizes, a_run_that_changes_the_number_of_ranks_is_that_of_the_cpu) {
  const auto expected = cpu::make_tempering(system(), 2, 0);
  const std::size_t most = std::min<std::size_t>(system().slots(), 5);
  auto engine = ranked(most)(system());
  for (const MakeTempering& next : {MakeTempering(cuda::make_tempering), ranked(2), ranked(most)}) {
    engine->advance(3);
    expected->advance(3);
    EXPECT_TRUE(equal("fields", engine->fields(), expected->fields()));
    expect_equal_tempering(*engine, *expected, system().slots());
    engine = continued(*engine, system(), next);
  }
  engine->advance(2);
  expected->advance(2);
  expect_equal_tempering(*engine, *expected, system().slots());
}

std::vector<NamedTempering> sizes() {
  std::vector<NamedTempering> systems;
  const auto add = [&](int L, double h, std::size_t slots, std::uint64_t samples, Start start,
                       std::uint64_t measured_rounds = 1) {
    TemperingSystem s;
    s.model = Model::rfim3d;
    s.L = L;
    s.h = h;
    for (std::size_t k = 0; k < slots; ++k) s.betas.push_back(1 / (3.6 + 0.03 * static_cast<double>(k)));
    s.first_sample = 31;
    s.samples = samples;
    s.replicas = tempering_sets;
    s.seed = 13;
    s.start = start;
    s.exchange_interval = 2;
    s.measure_interval = 2 * measured_rounds;
    const std::string every = measured_rounds > 1 ? fmt::format("_measured_every_{}", measured_rounds) : "";
    systems.push_back({fmt::format("L{}_h_percent{:.0f}_slots{}_samples{}{}", L, 100 * h, slots, samples, every), s});
  };
  add(8, 1, 23, 200, Start::random);
  add(16, 1, 24, 35, Start::random);
  add(16, 0.4, 7, 35, Start::ordered);
  add(32, 1, 5, 33, Start::ordered);
  add(34, 1, 4, 33, Start::random);
  add(40, 3, 3, 33, Start::random);
  add(64, 1, 3, 2, Start::random);
  add(32, 1, 6, 40, Start::random, 2);
  add(16, 1, 8, 40, Start::random, 4);
  return systems;
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaTemperingPartSizes, testing::ValuesIn(sizes()), name_of);

}  // namespace
}  // namespace psflip::equality
