#include "bodies.hpp"
#include "engine/cpu/cpu.hpp"

namespace psflip::equality {
namespace {

MakeEngine cpu_engine(int threads, int word_bits) {
  return [=](const System& system) { return cpu::make_engine(system, threads, word_bits); };
}

struct Case {
  NamedSystem system;
  int word_bits;
};

class Equality : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const auto widths = cpu::supported_word_bits();
    if (std::find(widths.begin(), widths.end(), GetParam().word_bits) == widths.end()) {
      GTEST_SKIP() << "this build has no words of " << GetParam().word_bits << " bits";
    }
  }

  const System& system() const { return GetParam().system.system; }
  MakeEngine make_engine(int threads) const { return cpu_engine(threads, GetParam().word_bits); }
};

TEST_P(Equality, the_trajectories_on_one_two_and_three_threads_are_that_of_the_oracle) {
  compare_trajectories(system(), {make_engine(1), make_engine(2), make_engine(3)});
}

TEST_P(Equality, three_shards_are_the_pieces_of_one) { compare_three_shards(system(), make_engine(1)); }

TEST_P(Equality, a_restored_configuration_continues_as_in_the_oracle) { compare_restored(system(), make_engine(2)); }

TEST_P(Equality, what_is_observed_is_of_the_moment_when_that_began) {
  compare_observed_later(system(), make_engine(2));
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const int word_bits : {64, 256, 512}) {
    for (const NamedSystem& system : all_systems()) cases.push_back({system, word_bits});
  }
  return cases;
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return info.param.system.name + "_words_of_" + std::to_string(info.param.word_bits) + "_bits";
}

void PrintTo(const Case& value, std::ostream* stream) { *stream << value.system.name; }

INSTANTIATE_TEST_SUITE_P(Cpu, Equality, testing::ValuesIn(all_cases()), name_of);

}  // namespace
}  // namespace psflip::equality
