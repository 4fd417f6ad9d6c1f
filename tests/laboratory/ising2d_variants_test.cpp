#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/cpu/cpu.hpp"
#include "engine/laboratory/ising2d/blocks.hpp"
#include "engine/laboratory/ising2d/checkerboard.hpp"
#include "engine/laboratory/ising2d/four_bit.hpp"
#include "engine/laboratory/ising2d/variant.hpp"
#include "tests/oracle/oracle.hpp"

// The variants of the 2D Ising model in the laboratory: the same bits as the oracle with the numbers of psflip, the
// same as one another with those of the paper.
namespace psflip::laboratory {
namespace {

constexpr double beta = 0.4406867935097715;

System square_system(int L, Packing packing, std::uint64_t sample, double b = beta) {
  System system;
  system.model = Model::ising2d;
  system.L = L;
  system.betas = {b};
  system.first_sample = sample;
  system.samples = 1;
  system.seed = 7;
  system.packing = packing;
  system.round.half_sweeps = 1;
  return system;
}

struct Case {
  std::string variant;
  int L;
  Packing packing;
  std::uint64_t sample;
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return info.param.variant + "_L" + std::to_string(info.param.L) +
         (info.param.packing == Packing::sites ? "_sites" : "_samples") + std::to_string(info.param.sample);
}

class SquareVariant : public testing::TestWithParam<Case> {};

TEST_P(SquareVariant, has_the_trajectory_of_the_oracle) {
  for (const double b : {beta, 0.2}) {
    const System system = square_system(GetParam().L, GetParam().packing, GetParam().sample, b);
    oracle::Oracle oracle(system);
    const auto variant = make_variant(GetParam().variant, {system.L, b, oracle.spins()}, addressed_numbers(system));
    EXPECT_EQ(variant->spins(), oracle.spins());
    for (int half_sweep = 0; half_sweep < 9; ++half_sweep) {
      oracle.advance(1);
      variant->advance(1);
      ASSERT_EQ(variant->spins(), oracle.spins()) << "beta " << b << ", half sweep " << half_sweep;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Laboratory, SquareVariant,
                         testing::Values(Case{"basic", 4, Packing::samples, 0}, Case{"basic", 6, Packing::samples, 37},
                                         Case{"basic", 10, Packing::samples, 1}, Case{"basic", 64, Packing::sites, 0},
                                         Case{"tensor", 32, Packing::samples, 5},
                                         Case{"tensor", 96, Packing::samples, 64},
                                         Case{"tensor", 64, Packing::sites, 3},
                                         Case{"four_bit", 64, Packing::samples, 2},
                                         Case{"four_bit", 128, Packing::sites, 33}),
                         name_of);

TEST(SquareVariants, equal_the_multispin_engine_of_psflip) {
  const System system = square_system(128, Packing::sites, 3);
  const auto engine = cpu::make_engine(system, 1, 0);
  for (const std::string& name : variant_names()) {
    const auto variant =
        make_variant(name, {system.L, beta, oracle::Oracle(system).spins()}, addressed_numbers(system));
    variant->advance(engine->rounds());
    engine->advance(5);
    variant->advance(5);
    EXPECT_EQ(variant->spins(), engine->spins()) << name;
  }
}

/// One half sweep as figure 2 of the paper has it, spin by spin.
void plain_half_sweep(std::vector<std::int8_t>& spins, int L, std::uint64_t half_sweep,
                      const SequenceNumbers& numbers) {
  const SquareThresholds thresholds = square_thresholds(beta);
  for (int y = 0; y < L; ++y)
    for (int x = 0; x < L; ++x) {
      if ((x + y) % 2 != static_cast<int>(half_sweep % 2)) continue;
      const int sum = spins[site_index((x + 1) % L, y, L)] + spins[site_index((x + L - 1) % L, y, L)] +
                      spins[site_index(x, (y + 1) % L, L)] + spins[site_index(x, (y + L - 1) % L, L)];
      const int j = x / 2;
      const std::uint32_t u = numbers.four(y, j - j % 4, half_sweep).x[j % 4];
      std::int8_t& spin = spins[site_index(x, y, L)];
      const int cost = 2 * spin * sum;
      if (cost <= 0 || u < thresholds.below[cost == 8 ? 0 : 1]) spin = static_cast<std::int8_t>(-spin);
    }
}

TEST(SquareVariants, agree_with_a_plain_loop_on_the_numbers_of_the_paper) {
  for (const int L : {64, 192}) {
    const SequenceNumbers numbers = sequence_numbers(0x123456789abcdefu, L);
    std::vector<std::int8_t> expected = random_square(L, 3);
    std::vector<std::unique_ptr<Variant>> variants;
    for (const std::string& name : variant_names())
      variants.push_back(make_variant(name, {L, beta, expected}, numbers));
    for (std::uint64_t half_sweep = 0; half_sweep < 10; ++half_sweep)
      plain_half_sweep(expected, L, half_sweep, numbers);
    for (const auto& variant : variants) {
      variant->advance(10);
      EXPECT_EQ(variant->spins(), expected);
    }
  }
}

TEST(SquareVariants, numbers_of_a_lattice_and_a_half_sweep_are_all_different) {
  constexpr int L = 192;
  const SequenceNumbers numbers = sequence_numbers(5, L);
  std::vector<std::uint64_t> seen;
  for (std::uint64_t half_sweep = 0; half_sweep < 4; ++half_sweep)
    for (int y = 0; y < L; ++y)
      for (int j = 0; j < L / 2; j += 4) {
        const Four<std::uint32_t> four = numbers.four(y, j, half_sweep);
        seen.push_back(static_cast<std::uint64_t>(four.x[0]) << 32 | four.x[1]);
      }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(SquareVariants, three_additions_give_the_sums_of_sixteen_spins) {
  std::mt19937_64 random(4);
  const auto spins = [&] { return random() & 0x1111111111111111u; };
  for (int trial = 0; trial < 200; ++trial) {
    const NeighbourWords words = {spins(), spins(), spins(), spins()};
    const auto bit = [](std::uint64_t word, int i) { return static_cast<int>(word >> (4 * i) & 1); };
    for (const int offset : {0, 1}) {
      const std::uint64_t sums = neighbour_sums(words, offset);
      for (int i = 0; i < spins_of_word; ++i) {
        const int next = i + (offset == 1 ? 1 : -1);
        const int side = next < 0 ? bit(words.side, 15) : next > 15 ? bit(words.side, 0) : bit(words.centre, next);
        EXPECT_EQ(static_cast<int>(sums >> (4 * i) & 15),
                  bit(words.up, i) + bit(words.down, i) + bit(words.centre, i) + side);
      }
    }
  }
}

TEST(SquareVariants, compare_floats_with_the_probability_that_the_integers_have) {
  const SquareThresholds thresholds = square_thresholds(beta);
  const SingleRule rule{static_cast<float>(beta)};
  for (int unsatisfied = 0; unsatisfied < 2; ++unsatisfied) {
    const double probability = std::exp(-beta * 4 * (2 - unsatisfied));
    EXPECT_NEAR(std::ldexp(thresholds.below[unsatisfied], -32), probability, 1e-9);
    EXPECT_TRUE(is_accepted(unsatisfied, static_cast<float>(probability * (1 - 1e-5)), rule));
    EXPECT_FALSE(is_accepted(unsatisfied, static_cast<float>(probability * (1 + 1e-5)), rule));
  }
  for (int unsatisfied = 2; unsatisfied <= 4; ++unsatisfied) EXPECT_TRUE(is_accepted(unsatisfied, 0.9999999F, rule));
}

TEST(SquareVariants, find_row_and_column_of_each_entry_of_the_blocks) {
  for (const int L : {32, 96})
    for (int a = 0; a < L / 2; ++a)
      for (int b = 0; b < L / 2; ++b) {
        const Entry entry = entry_of(block_index(a, b, L), L);
        EXPECT_EQ(entry.a, a);
        EXPECT_EQ(entry.b, b);
      }
}

TEST(SquareVariants, refuse_sizes_that_do_not_fit_their_words_and_blocks) {
  for (const auto& [name, L] : {std::pair{"basic", 5}, {"tensor", 48}, {"four_bit", 96}, {"five_bit", 64}}) {
    const std::string text = name;
    EXPECT_THROW(make_variant(text, {L, beta, random_square(L, 1)}, sequence_numbers(1, L)), std::invalid_argument)
        << text;
  }
}

TEST(SquareVariants, take_the_memory_of_their_layout) {
  const std::vector<double> expected = {3, 6, 0.5};  // in the order of variant_names()
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string& name = variant_names()[i];
    const auto variant = make_variant(name, {128, beta, random_square(128, 1)}, sequence_numbers(1, 128));
    EXPECT_EQ(variant->bytes() / (128 * 128), expected[i]) << name;
    EXPECT_EQ(bytes_per_spin(name), expected[i]) << name;
  }
}

}  // namespace
}  // namespace psflip::laboratory
