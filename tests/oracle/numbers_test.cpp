#include "numbers.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "philox.hpp"

namespace psflip::oracle {
namespace {

// Known answers: Random123, tests/kat_vectors, lines "philox4x32 10".
TEST(OraclePhilox, gives_the_published_known_answers) {
  EXPECT_EQ(philox4x32_10({0, 0, 0, 0}, {0, 0}), (Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t f = 0xffffffff;
  EXPECT_EQ(philox4x32_10({f, f, f, f}, {f, f}), (Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// The first outputs of the generator seeded with 0 are those of the hash at 0 and at its increment (Vigna's
// splitmix64.c).
TEST(OracleNumbers, splitmix64_is_the_published_hash) {
  EXPECT_EQ(splitmix64(0), 0xE220A8397B1DCDAF);
  EXPECT_EQ(splitmix64(0x9E3779B97F4A7C15), 0x6E789E6AA1B965F4);
}

System spin_glass(Random random) {
  System system;
  system.model = Model::ea3d;
  system.L = 6;
  system.betas = {0.9};
  system.replicas = 8;
  system.seed = 0xDEADBEEF;
  system.random = random;
  system.couplings = Couplings::bimodal;
  return system;
}

System random_field(std::vector<double> betas) {
  System system;
  system.model = Model::rfim3d;
  system.L = 4;
  system.betas = std::move(betas);
  system.h = 1;
  system.replicas = 8;
  system.seed = 0xDEADBEEF;
  return system;
}

constexpr std::uint64_t far_sample = (0xABULL << 37) + (7 << 5) + 9;  // pack 0xAB00000007, lane 9
constexpr std::uint32_t far_pack_high = 0xABU << 24;

/// k1 of a stream: `temperature` enters the tag in addition to model and size.
Key key_of(const System& system, std::uint32_t stream, std::uint64_t temperature) {
  return {system.seed, stream | system_tag(system, temperature) << 8};
}

TEST(OracleNumbers, a_shared_number_has_the_documented_address) {
  const System system = spin_glass(Random::shared);
  const Numbers numbers(system);
  const Counter words =
      philox4x32_10({101 / 2, 13, 7, 1U | far_pack_high}, key_of(system, 4, std::bit_cast<std::uint64_t>(0.9)));
  EXPECT_EQ(numbers.metropolis({far_sample, 6, 0}, 101, 13), words[2]);
  EXPECT_EQ(numbers.metropolis({far_sample + 1, 6, 0}, 101, 13), words[2]);
  EXPECT_NE(numbers.metropolis({far_sample + 32, 6, 0}, 101, 13), words[2]);
}

void expect_documented_planes(const System& system, const Key& key, unsigned slot) {
  const std::uint32_t u = Numbers(system).metropolis({far_sample, 6, slot}, 51, 13);
  for (unsigned plane = 0; plane < 8; ++plane) {
    const Counter words = philox4x32_10({25, 13, 7, 6U | slot << 8 | (plane >> 2) << 16 | far_pack_high}, key);
    EXPECT_EQ(u >> (31 - plane) & 1, words[plane & 3] >> 9 & 1);
  }
  EXPECT_EQ(u & 0xFFFFFF, philox4x32_10({25, 13, 7, 1U | slot << 8 | (32U + 9U) << 16 | far_pack_high}, key)[2] >> 8);
}

TEST(OracleNumbers, an_independent_number_has_the_documented_bits) {
  const System system = spin_glass(Random::independent);
  expect_documented_planes(system, key_of(system, 4, std::bit_cast<std::uint64_t>(0.9)), 0);
}

std::uint64_t hash_of(const std::vector<double>& values) {
  std::uint64_t hash = 0;
  for (const double value : values) hash = splitmix64(hash ^ std::bit_cast<std::uint64_t>(value));
  return hash;
}

TEST(OracleNumbers, of_a_grid_with_exchanges_have_the_documented_addresses) {
  const System system = random_field({0.28, 0.26, 0.24});
  const Numbers numbers(system);
  const std::uint64_t hash = hash_of({1, 1, 0.28, 0.26, 0.24});
  expect_documented_planes(system, key_of(system, 4, hash), 2);
  const std::uint32_t low = 1U | 2U << 8 | far_pack_high;  // replica 5: field 1, component 1; slot 2
  EXPECT_EQ(numbers.initial_spin({far_sample, 5, 2}, 51),
            philox4x32_10({25, 1, 7, low}, key_of(system, 3, hash))[1] >> 9 & 1 ? -1 : 1);
  EXPECT_EQ(numbers.exchange({far_sample, 5, 2}, 1234), philox4x32_10({9, 1234, 7, low}, key_of(system, 5, hash))[1]);
}

/// One temperature is a grid of one where there is a field, and its beta alone where there is none.
TEST(OracleNumbers, of_one_temperature_have_the_documented_key) {
  const auto first_number = [](const System& system, std::uint64_t temperature) {
    return philox4x32_10({0, 0, 0, 1}, key_of(system, 4, temperature))[0];
  };
  System system = random_field({0.25});
  system.random = Random::shared;  // one call for each number, whatever the model
  const auto found = [&] { return Numbers(system).metropolis({0, 4, 0}, 0, 0); };
  EXPECT_EQ(found(), first_number(system, hash_of({1, 1, 0.25})));
  system.h = 0;
  EXPECT_EQ(found(), first_number(system, hash_of({1, 0, 0.25})));
  system.model = unnamed_preset(2, ModelCouplings::ferromagnet, ModelField::uniform).model;
  EXPECT_EQ(found(), first_number(system, std::bit_cast<std::uint64_t>(0.25)));
  system.h = 0.5;
  EXPECT_EQ(found(), first_number(system, hash_of({1, 0.5, 0.25})));
  system.model = Model::ea3d;
  system.h = 0;
  system.betas = {0.25, 0.125};
  EXPECT_EQ(found(), first_number(system, hash_of({1, 0, 0.25, 0.125})));
}

TEST(OracleNumbers, disorder_is_the_same_at_every_temperature_and_trajectories_are_not) {
  System glass = spin_glass(Random::shared), hot = glass;
  hot.betas = {0.5};
  const Numbers cold_numbers(glass), hot_numbers(hot);
  int equal_spins = 0;
  for (std::uint64_t site = 0; site < 216; ++site) {
    for (const unsigned direction : {0U, 1U, 2U})
      EXPECT_EQ(cold_numbers.coupling(5, site, direction), hot_numbers.coupling(5, site, direction));
    EXPECT_NE(cold_numbers.metropolis({5, 0, 0}, site, 0), hot_numbers.metropolis({5, 0, 0}, site, 0));
    equal_spins += cold_numbers.initial_spin({5, 0, 0}, site) == hot_numbers.initial_spin({5, 0, 0}, site);
  }
  EXPECT_LT(equal_spins, 216);
}

TEST(OracleNumbers, fields_belong_to_the_sample_and_nothing_else_does) {
  const System system = random_field({0.28, 0.26, 0.24});
  System stronger = system, warmer = system;
  stronger.h = 1.5;
  warmer.betas[1] = 0.25;
  const Numbers numbers(system), of_stronger(stronger), of_warmer(warmer);
  const Copy copy = {5, 0, 0};
  for (std::uint64_t site = 0; site < 64; ++site) {
    EXPECT_EQ(numbers.field(5, site), of_stronger.field(5, site));
    EXPECT_EQ(numbers.field(5, site), of_warmer.field(5, site));
    EXPECT_NE(numbers.metropolis(copy, site, 0), of_stronger.metropolis(copy, site, 0));
    EXPECT_NE(numbers.metropolis(copy, site, 0), of_warmer.metropolis(copy, site, 0));
    EXPECT_NE(numbers.metropolis(copy, site, 0), numbers.metropolis({5, 0, 1}, site, 0));
    EXPECT_NE(numbers.metropolis(copy, site, 0), numbers.metropolis({5, 1, 0}, site, 0));
  }
}

TEST(OracleNumbers, sizes_and_models_share_no_numbers) {
  const System cube = spin_glass(Random::shared);
  System larger = cube, square = cube;
  larger.L = 8;
  square.model = Model::ising2d;
  const Numbers numbers(cube), of_larger(larger), of_square(square);
  const Copy copy = {5, 0, 0};
  int equal_couplings = 0;
  for (std::uint64_t site = 0; site < 36; ++site) {
    EXPECT_NE(numbers.metropolis(copy, site, 0), of_larger.metropolis(copy, site, 0));
    EXPECT_NE(numbers.metropolis(copy, site, 0), of_square.metropolis(copy, site, 0));
    for (const unsigned direction : {0U, 1U, 2U})
      equal_couplings += numbers.coupling(5, site, direction) == of_larger.coupling(5, site, direction);
  }
  EXPECT_LT(equal_couplings, 108);
}

TEST(OracleNumbers, bonds_are_negative_with_probability_p_and_those_at_a_smaller_p_are_among_them) {
  System few = spin_glass(Random::independent), many = few;
  few.p = 0.1;
  many.p = 0.3;
  const Numbers at_few(few), at_many(many);
  int negative[2] = {0, 0};
  for (std::uint64_t sample = 0; sample < 400; ++sample) {
    for (std::uint64_t site = 0; site < 36; ++site) {
      for (const unsigned direction : {0U, 1U, 2U}) {
        const bool one = at_few.coupling(sample, site, direction) < 0,
                   other = at_many.coupling(sample, site, direction) < 0;
        EXPECT_LE(one, other);
        negative[0] += one;
        negative[1] += other;
      }
    }
  }
  const double bonds = 400 * 36 * 3;  // standard deviations 62 and 95
  EXPECT_NEAR(negative[0], 0.1 * bonds, 5 * 62);
  EXPECT_NEAR(negative[1], 0.3 * bonds, 5 * 95);
  EXPECT_NE(at_few.metropolis({5, 0, 0}, 0, 0), at_many.metropolis({5, 0, 0}, 0, 0));
}

TEST(OracleNumbers, sites_packing_puts_every_second_site_of_a_row_into_one_word) {
  System system;
  system.model = Model::ising2d;
  system.L = 192;
  system.packing = Packing::sites;
  const Place place = place_of(system, 77, 5 * 192 + 133);  // row 5, x = 133: rank 66 of its parity, word 2, bit 2
  EXPECT_EQ(place.index, 5U * 3U + 2U);
  EXPECT_EQ(place.lane, 2U);
  EXPECT_EQ(place.pack, 77U);
}

}  // namespace
}  // namespace psflip::oracle
