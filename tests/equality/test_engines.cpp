#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "engine/cpu/cpu.hpp"
#include "systems.hpp"
#include "tests/oracle/oracle.hpp"

// The bodies know the door (Engine) only: another backend joins by another factory.
namespace psflip::equality {
namespace {

using MakeEngine = std::function<std::unique_ptr<Engine>(const System&)>;

MakeEngine cpu_engine(int threads, int word_bits) {
  return [=](const System& system) { return cpu::make_engine(system, threads, word_bits); };
}

/// Comparisons by == first: a failing state has a million bytes and only the first difference is of interest.
template <class Value>
testing::AssertionResult equal(const char* name, const std::vector<Value>& found, const std::vector<Value>& expected) {
  if (found == expected) return testing::AssertionSuccess();
  if (found.size() != expected.size()) {
    return testing::AssertionFailure() << name << ": " << found.size() << " values, expected " << expected.size();
  }
  const auto first = std::mismatch(found.begin(), found.end(), expected.begin());
  return testing::AssertionFailure() << name << " [" << first.first - found.begin() << "]: " << +*first.first
                                     << ", expected " << +*first.second;
}

void expect_equal_state(const Engine& engine, const Engine& expected) {
  EXPECT_EQ(engine.half_sweeps(), expected.half_sweeps());
  EXPECT_TRUE(equal("spins", engine.spins(), expected.spins()));
  const Observation found = engine.observe(), wanted = expected.observe();
  EXPECT_TRUE(equal("bond_sum", found.bond_sum, wanted.bond_sum));
  EXPECT_TRUE(equal("magnetization", found.magnetization, wanted.magnetization));
  EXPECT_TRUE(equal("magnetization_k2", found.magnetization_k2, wanted.magnetization_k2));
  EXPECT_TRUE(equal("overlap", found.overlap, wanted.overlap));
  EXPECT_TRUE(equal("overlap_k2", found.overlap_k2, wanted.overlap_k2));
}

void compare_trajectories(const System& system, const std::vector<MakeEngine>& factories) {
  oracle::Oracle oracle(system);
  std::vector<std::unique_ptr<Engine>> engines;
  for (const MakeEngine& make_engine : factories) engines.push_back(make_engine(system));
  for (const std::uint64_t half_sweeps : {0, 1, 1, 3, 8}) {  // stops at both parities
    oracle.advance(half_sweeps);
    for (std::size_t i = 0; i < engines.size(); ++i) {
      SCOPED_TRACE(fmt::format("engine {} after {} half sweeps", i, oracle.half_sweeps()));
      engines[i]->advance(half_sweeps);
      EXPECT_TRUE(equal("couplings", engines[i]->couplings(), oracle.couplings()));
      expect_equal_state(*engines[i], oracle);
    }
  }
}

/// Canonical order has samples outermost, so the shards of a job are pieces of the whole.
void compare_three_shards(const System& system, const MakeEngine& make_engine) {
  oracle::Oracle oracle(system);
  oracle.advance(7);
  std::vector<std::int8_t> spins, couplings;
  const std::uint64_t first_cut = system.samples / 3, second_cut = first_cut + 1;  // one shard is a single sample
  for (const auto& [begin, end] :
       {std::pair{std::uint64_t{0}, first_cut}, {first_cut, second_cut}, {second_cut, system.samples}}) {
    if (begin == end) continue;
    System shard = system;
    shard.first_sample += begin;
    shard.samples = end - begin;
    const auto engine = make_engine(shard);
    engine->advance(7);
    const auto more_spins = engine->spins(), more_couplings = engine->couplings();
    spins.insert(spins.end(), more_spins.begin(), more_spins.end());
    couplings.insert(couplings.end(), more_couplings.begin(), more_couplings.end());
  }
  EXPECT_TRUE(equal("spins", spins, oracle.spins()));
  EXPECT_TRUE(equal("couplings", couplings, oracle.couplings()));
}

/// Continues a foreign configuration: once after an odd number of half sweeps, once just before the last sweep that
/// exists.
void compare_restored(const System& system, const MakeEngine& make_engine) {
  for (const std::uint64_t half_sweeps : {std::uint64_t{3}, (std::uint64_t{1} << 32) - 8}) {
    oracle::Oracle oracle(system);
    oracle.advance(3);
    const auto engine = make_engine(system);
    engine->advance(2);
    engine->restore(half_sweeps, oracle.spins());
    oracle.restore(half_sweeps, oracle.spins());
    expect_equal_state(*engine, oracle);
    engine->advance(6);
    oracle.advance(6);
    expect_equal_state(*engine, oracle);
  }
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

TEST_P(Equality, the_trajectories_on_one_and_two_threads_are_that_of_the_oracle) {
  compare_trajectories(system(), {make_engine(1), make_engine(2)});
}

TEST_P(Equality, three_shards_are_the_pieces_of_one) { compare_three_shards(system(), make_engine(1)); }

TEST_P(Equality, a_restored_configuration_continues_as_in_the_oracle) { compare_restored(system(), make_engine(2)); }

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
