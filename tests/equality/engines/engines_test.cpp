#include <gtest/gtest.h>

#include <algorithm>

#include "cpu_backends.hpp"
#include "exchange_systems.hpp"
#include "systems.hpp"

// The named systems in every word width of the CPU engine.
namespace psflip::equality {
namespace {

struct Case {
  NamedSystem system;
  int word_bits;
};

class Equality : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const auto widths = cpu::supported_word_bits();
    if (std::find(widths.begin(), widths.end(), GetParam().word_bits) == widths.end())
      GTEST_SKIP() << "this build has no words of " << GetParam().word_bits << " bits";
  }

  const System& system() const { return GetParam().system.system; }
  Backends on_threads(const std::vector<int>& threads) const { return cpu_backends(GetParam().word_bits, threads); }
};

TEST_P(Equality, the_trajectories_on_one_two_and_three_threads_are_that_of_the_oracle) {
  compare_trajectories(system(), on_threads({1, 2, 3}));
}

TEST_P(Equality, three_shards_are_the_pieces_of_one) { compare_three_shards(system(), on_threads({1})); }

TEST_P(Equality, a_restored_configuration_continues_as_in_the_oracle) { compare_restored(system(), on_threads({2})); }

TEST_P(Equality, what_is_read_is_of_the_moment_when_that_began) { compare_readings(system(), on_threads({2})); }

std::vector<Case> cases_of(const std::vector<NamedSystem>& systems) {
  std::vector<Case> cases;
  for (const int word_bits : {64, 256, 512})
    for (const NamedSystem& system : systems) cases.push_back({system, word_bits});
  return cases;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return info.param.system.name + "_words_of_" + std::to_string(info.param.word_bits) + "_bits";
}

void PrintTo(const Case& value, std::ostream* stream) { *stream << value.system.name; }

INSTANTIATE_TEST_SUITE_P(Cpu, Equality, testing::ValuesIn(cases_of(all_systems())), name_of);
INSTANTIATE_TEST_SUITE_P(CpuExchange, Equality, testing::ValuesIn(cases_of(all_exchange_systems())), name_of);

/// The equality above means little if nothing is exchanged or everything.
TEST(ExchangeSystems, accept_and_refuse_exchanges_and_have_round_trips) {
  const std::vector<NamedSystem> all = all_exchange_systems();
  const auto named = std::find_if(all.begin(), all.end(), [](const auto& s) { return s.name == "h_equals_J_L4"; });
  ASSERT_NE(named, all.end());
  const auto engine = cpu::make_engine(named->system, 1, 0);
  engine->advance(60);  // 30 attempts of every pair
  const Sums sums = engine->sums();
  double mean = 0;
  for (const std::int32_t accepted : sums.accepted) mean += accepted / 30.0 / double(sums.accepted.size());
  EXPECT_GT(mean, 0.2);
  EXPECT_LT(mean, 0.9);
  EXPECT_GT(*std::max_element(sums.round_trips.begin(), sums.round_trips.end()), 0);
}

}  // namespace
}  // namespace psflip::equality
