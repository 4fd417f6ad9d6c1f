#include "engine/cpu/cpu.hpp"
#include "ranked_tempering.hpp"

namespace psflip::equality {
namespace {

MakeTempering ranked(int ranks, int threads) {
  return on_ranks(ranks, [=](const TemperingSystem& system, const Slots& own) {
    return cpu::make_tempering_part(system, own, threads, 0);
  });
}

class TemperingDecomposition : public testing::TestWithParam<NamedTempering> {};

TEST_P(TemperingDecomposition, whole_runs_on_two_to_six_ranks_are_those_of_the_oracle) {
  const TemperingSystem& system = GetParam().system;
  std::vector<MakeTempering> factories = {ranked(2, 1)};
  if (system.slots() >= 3) factories.push_back(ranked(3, 2));
  factories.push_back(ranked(static_cast<int>(std::min<std::size_t>(system.slots(), 6)), 1));  // often one slot each
  compare_tempering(system, factories);
}

TEST_P(TemperingDecomposition, a_restored_state_continues_on_two_ranks_as_in_the_oracle) {
  compare_restored_tempering(GetParam().system, ranked(2, 1));
}

std::string name_of(const testing::TestParamInfo<NamedTempering>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Cpu, TemperingDecomposition, testing::ValuesIn(all_tempering_systems()), name_of);

}  // namespace
}  // namespace psflip::equality
