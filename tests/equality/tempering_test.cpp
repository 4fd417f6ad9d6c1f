#include "engine/cpu/cpu.hpp"
#include "tempering_bodies.hpp"

namespace psflip::equality {
namespace {

struct Case {
  NamedTempering system;
  int word_bits;
};

class Tempering : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const auto widths = cpu::supported_word_bits();
    if (std::find(widths.begin(), widths.end(), GetParam().word_bits) == widths.end())
      GTEST_SKIP() << "this build has no words of " << GetParam().word_bits << " bits";
  }

  const TemperingSystem& system() const { return GetParam().system.system; }
  MakeTempering make(int threads) const {
    return [=, bits = GetParam().word_bits](const TemperingSystem& s) { return cpu::make_tempering(s, threads, bits); };
  }
};

TEST_P(Tempering, whole_runs_on_one_and_two_threads_are_those_of_the_oracle) {
  compare_tempering(system(), {make(1), make(2)});
}

TEST_P(Tempering, a_restored_state_continues_as_in_the_oracle) { compare_restored_tempering(system(), make(2)); }

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const int word_bits : {64, 256, 512})
    for (const NamedTempering& system : all_tempering_systems()) cases.push_back({system, word_bits});
  return cases;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return info.param.system.name + "_words_of_" + std::to_string(info.param.word_bits) + "_bits";
}

void PrintTo(const Case& value, std::ostream* stream) { *stream << value.system.name; }

INSTANTIATE_TEST_SUITE_P(Cpu, Tempering, testing::ValuesIn(all_cases()), name_of);

/// The equality above means little where nothing is exchanged or everything.
TEST(TemperingSystems, exchanges_are_accepted_and_refused_and_round_trips_happen) {
  for (const NamedTempering& named : all_tempering_systems()) {
    if (named.name != "h_equals_J_L4") continue;
    const auto engine = cpu::make_tempering(named.system, 1, 0);
    engine->advance(60);  // 30 attempts of every pair
    const TemperingSums sums = engine->sums();
    double mean = 0;
    for (const std::int32_t accepted : sums.accepted) mean += accepted / 30.0 / double(sums.accepted.size());
    EXPECT_GT(mean, 0.2);
    EXPECT_LT(mean, 0.9);
    EXPECT_GT(*std::max_element(sums.round_trips.begin(), sums.round_trips.end()), 0);
  }
}

}  // namespace
}  // namespace psflip::equality
