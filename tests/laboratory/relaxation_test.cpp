#include "engine/laboratory/relaxation/relaxation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/laboratory/relaxation/comparison.hpp"
#include "tests/oracle/oracle.hpp"

// Relaxation of the spin glass with each generator: the numbers measured are those of the oracle, a good generator is
// compatible with addressed Philox, generators that are broken on purpose are found.
namespace psflip::laboratory {
namespace {

RelaxationPlan plan_of(std::uint32_t packs, std::uint32_t seed) { return {4, 1.1, {1, 4, 16}, packs, seed, 8}; }

TEST(Relaxation, measures_energy_and_overlap_of_the_oracle) {
  const RelaxationPlan plan{6, 0.9, {1, 3}, 2, 17, 1};
  const Relaxation relaxation = relax_with_addresses(plan, plan.seed);
  oracle::Oracle oracle(system_of(plan));
  const double sites = 216;
  for (std::size_t time = 0; time < plan.times.size(); ++time) {
    oracle.advance(2 * plan.times[time] - oracle.rounds());
    const Observation moment = oracle.observe();
    for (std::size_t pack = 0; pack < plan.packs; ++pack) {
      double energy = 0, q2 = 0;
      for (std::size_t i = 0; i < 128; ++i)
        energy -= static_cast<double>(moment[Integer::bond_sum][128 * pack + i]) / sites / 128;
      for (std::size_t i = 0; i < 192; ++i)
        q2 += std::pow(static_cast<double>(moment[Integer::overlap][192 * pack + i]) / sites, 2) / 192;
      EXPECT_NEAR(relaxation.energy[pack][time], energy, 1e-12);
      EXPECT_NEAR(relaxation.q2[pack][time], q2, 1e-12);
    }
  }
}

/// One state for a pack visits the sites in the order of their indices.
TEST(Relaxation, of_one_thread_has_the_numbers_of_a_half_sweep_of_the_layout) {
  RelaxationPlan plan{4, 1.1, {2}, 1, 3, 1};
  Glass<Sliced> glass(system_of(plan));
  std::vector<std::uint32_t> state = states_of<Xorwow>(1, plan.seed);
  Xorwow generator(StridedState{state.data(), 1});
  const Thresholds thresholds = glass_thresholds(1 / plan.T, Xorwow::most);
  for (int sweep = 0; sweep < 2; ++sweep) {
    glass.half_sweep<0>(thresholds, NextNumbers<Xorwow>{generator});
    glass.half_sweep<1>(thresholds, NextNumbers<Xorwow>{generator});
  }
  std::vector<double> energy, q2;
  measure(glass, 0, energy, q2);
  EXPECT_EQ(relax_with("xorwow", plan).energy[0], energy);
  EXPECT_EQ(relax_with("xorwow", plan).q2[0], q2);
  plan.threads = 2;
  EXPECT_NE(relax_with("xorwow", plan).energy[0], energy);
}

TEST(Relaxation, with_every_generator_is_compatible_with_addressed_Philox) {
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    const RelaxationPlan plan = plan_of(64, seed);
    const Relaxation reference = relax_with_addresses(plan, seed);
    for (const std::string& generator : relaxation_generators()) {
      const Relaxation relaxation = relax_with(generator, plan);
      ASSERT_NE(relaxation.energy, reference.energy) << generator;
      EXPECT_GT(compare(relaxation.energy, reference.energy).probability, 1e-3) << generator << ", seed " << seed;
      EXPECT_GT(compare(relaxation.q2, reference.q2).probability, 1e-3) << generator << ", seed " << seed;
    }
  }
}

TEST(Relaxation, with_the_same_addresses_differs_nowhere) {
  const RelaxationPlan plan = plan_of(8, 1);
  const Relaxation reference = relax_with_addresses(plan, 1);
  const Comparison same = compare(reference.energy, relax_with_addresses(plan, 1).energy);
  EXPECT_EQ(same.difference, std::vector<double>(3));
  EXPECT_EQ(same.degrees, 0);
  EXPECT_EQ(same.probability, 1);
}

/// MT19937 with a defect: an object that gives the next number.
template <class Defect>
struct Broken {
  static constexpr const char* name = "broken";
  static constexpr std::uint32_t words = MersenneTwister::words, most = 0xffffffffu;

  explicit Broken(const StridedState& state) : numbers(state) {}
  std::uint32_t operator()() { return defect(numbers); }
  void store() const { numbers.store(); }

  MersenneTwister numbers;
  Defect defect;
};
struct Constant {
  std::uint32_t operator()(MersenneTwister&) const { return 0x80000000u; }
};
struct EightBits {
  std::uint32_t operator()(MersenneTwister& numbers) const { return numbers() & 0xff000000u; }
};
/// The four replicas of a site share a number. Each replica alone is simulated right.
struct SharedByReplicas {
  std::uint32_t operator()(MersenneTwister& numbers) {
    if (count++ % 4 == 0) number = numbers();
    return number;
  }
  std::uint32_t count = 0, number = 0;
};

template <class Defect>
Relaxation relax_broken(const RelaxationPlan& plan) {
  return relax_with_states<Broken<Defect>>(plan, [&](std::uint32_t pack) {
    return states_of<MersenneTwister>(plan.threads, plan.seed + pack * plan.threads);
  });
}

TEST(Relaxation, with_a_constant_instead_of_numbers_is_found) {
  const RelaxationPlan plan = plan_of(256, 1);
  const Relaxation reference = relax_with_addresses(plan, 1), broken = relax_broken<Constant>(plan);
  EXPECT_GT(std::abs(compare(broken.energy, reference.energy).largest_pull), 20);
  EXPECT_LT(compare(broken.energy, reference.energy).probability, 1e-12);
  EXPECT_LT(compare(broken.q2, reference.q2).probability, 1e-12);
}

TEST(Relaxation, with_numbers_of_eight_bits_is_found) {
  const RelaxationPlan plan = plan_of(512, 1);
  const Comparison energy = compare(relax_broken<EightBits>(plan).energy, relax_with_addresses(plan, 1).energy);
  EXPECT_GT(energy.largest_pull, 8);  // flips against large fields are accepted too often
  EXPECT_LT(energy.probability, 1e-9);
}

TEST(Relaxation, with_the_same_numbers_for_all_replicas_is_found_in_the_overlap_alone) {
  const RelaxationPlan plan = plan_of(256, 1);
  const Relaxation reference = relax_with_addresses(plan, 1), broken = relax_broken<SharedByReplicas>(plan);
  EXPECT_GT(compare(broken.energy, reference.energy).probability, 1e-3);
  EXPECT_GT(compare(broken.q2, reference.q2).largest_pull, 8);
}

TEST(Comparison, has_the_pulls_and_the_probability_of_a_calculation_by_hand) {
  // Differences 1, 3, 2, 2 and 0, 2, 2, 0: means 2 and 1, variances of the mean 1/6 and 1/3, covariance 1/6.
  const Comparison two = compare({{2, 5}, {4, 7}, {3, 7}, {3, 5}}, {{1, 5}, {1, 5}, {1, 5}, {1, 5}});
  EXPECT_EQ(two.difference, (std::vector<double>{2, 1}));
  EXPECT_NEAR(two.error[0], std::sqrt(1.0 / 6), 1e-12);
  EXPECT_NEAR(two.error[1], std::sqrt(1.0 / 3), 1e-12);
  EXPECT_NEAR(two.largest_pull, 2 * std::sqrt(6.0), 1e-12);
  EXPECT_EQ(two.degrees, 2);
  EXPECT_NEAR(two.chi2, 30, 1e-9);                // C^-1 = ((12, -6), (-6, 6)): 4 * 12 - 2 * 2 * 6 + 6
  EXPECT_NEAR(two.probability, 1.0 / 11, 1e-12);  // F(2, 2) exceeds x = 30 * 2 / (2 * 3) with probability 1 / (1 + x)
}

TEST(Comparison, leaves_out_a_time_that_an_earlier_one_determines) {
  const std::vector<std::vector<double>> zero(4, {0, 0, 0});
  const Comparison repeated = compare({{1, 1, 7}, {3, 3, 7}, {2, 2, 7}, {2, 2, 7}}, zero);
  EXPECT_EQ(repeated.degrees, 1);
  EXPECT_NEAR(repeated.chi2, 24, 1e-9);
  EXPECT_TRUE(std::isinf(repeated.pull[2]));  // the same difference in all blocks, and not zero
  EXPECT_EQ(repeated.bonferroni, 0);
}

/// Correlated normal numbers without difference: the probability is uniform, although there are few blocks.
TEST(Comparison, rejects_at_the_stated_rate) {
  std::mt19937_64 numbers(4);
  std::normal_distribution<double> normal;
  const int trials = 2000;
  int rejected = 0, rejected_by_largest = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<std::vector<double>> blocks(10), zero(10, std::vector<double>(4));
    for (std::vector<double>& block : blocks) {
      double sum = 0;
      for (int time = 0; time < 4; ++time) block.push_back(sum += normal(numbers));
    }
    const Comparison comparison = compare(blocks, zero);
    rejected += comparison.probability < 0.1;
    rejected_by_largest += comparison.bonferroni < 0.1;
  }
  EXPECT_NEAR(rejected, 200, 4 * std::sqrt(180.0));
  EXPECT_LT(rejected_by_largest, 200 + 4 * std::sqrt(180.0));
  EXPECT_GT(rejected_by_largest, 60);  // correlated times make it smaller than stated
}

TEST(Comparison, needs_more_blocks_than_times) {
  EXPECT_THROW(compare({{1, 2}, {2, 1}}, {{0, 0}, {0, 0}}), std::invalid_argument);
  EXPECT_THROW(compare({{1}}, {{0}}), std::invalid_argument);
}

TEST(Relaxation, is_measured_at_powers_of_two_and_at_the_end) {
  EXPECT_EQ(doubling_times(1), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(doubling_times(8), (std::vector<std::uint64_t>{1, 2, 4, 8}));
  EXPECT_EQ(doubling_times(11), (std::vector<std::uint64_t>{1, 2, 4, 8, 11}));
}

}  // namespace
}  // namespace psflip::laboratory
