#include <gtest/gtest.h>

#include <bit>

#include "numbers.hpp"
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
  system.beta = 0.9;
  system.replicas = 8;
  system.seed = 0xDEADBEEF;
  system.random = random;
  system.couplings = Couplings::bimodal;
  return system;
}

constexpr std::uint64_t far_sample = (0xABULL << 37) + (7 << 5) + 9;  // pack 0xAB00000007, lane 9

TEST(OracleNumbers, a_shared_number_has_the_documented_address) {
  const System system = spin_glass(Random::shared);
  const Key key = {0xDEADBEEF, 4 | system_tag(system, std::bit_cast<std::uint64_t>(0.9)) << 8};
  const Counter words = philox4x32_10({101 / 2, 13, 7, 1U | 0xABU << 24}, key);
  EXPECT_EQ(metropolis_number(system, far_sample, 6, 101, 13), words[2]);
  EXPECT_EQ(metropolis_number(system, far_sample + 1, 6, 101, 13), words[2]);
  EXPECT_NE(metropolis_number(system, far_sample + 32, 6, 101, 13), words[2]);
}

TEST(OracleNumbers, an_independent_number_has_the_documented_bits) {
  const System system = spin_glass(Random::independent);
  const Key key = {0xDEADBEEF, 4 | system_tag(system, std::bit_cast<std::uint64_t>(0.9)) << 8};
  const std::uint32_t u = metropolis_number(system, far_sample, 6, 101, 13);
  for (unsigned plane = 0; plane < 8; ++plane) {
    const Counter words = philox4x32_10({50, 13, 7, 6U | (plane >> 2) << 16 | 0xABU << 24}, key);
    EXPECT_EQ(u >> (31 - plane) & 1, words[plane & 3] >> 9 & 1);
  }
  EXPECT_EQ(u & 0xFFFFFF, philox4x32_10({50, 13, 7, 1U | (32U + 9U) << 16 | 0xABU << 24}, key)[2] >> 8);
}

TEST(OracleNumbers, disorder_is_the_same_at_every_temperature_and_trajectories_are_not) {
  System cold = spin_glass(Random::shared), hot = cold;
  hot.beta = 0.5;
  int equal_spins = 0;
  for (std::uint64_t site = 0; site < 216; ++site) {
    for (int direction = 0; direction < 3; ++direction) {
      EXPECT_EQ(coupling(cold, 5, site, 0, direction), coupling(hot, 5, site, 0, direction));
    }
    EXPECT_NE(metropolis_number(cold, 5, 0, site, 0), metropolis_number(hot, 5, 0, site, 0));
    equal_spins += initial_spin(cold, 5, 0, site, 0) == initial_spin(hot, 5, 0, site, 0);
  }
  EXPECT_LT(equal_spins, 216);
}

TEST(OracleNumbers, sizes_and_models_share_no_numbers) {
  const System cube = spin_glass(Random::shared);
  System larger = cube, square = cube;
  larger.L = 8;
  square.model = Model::ising2d;
  int equal_couplings = 0;
  for (std::uint64_t site = 0; site < 36; ++site) {
    EXPECT_NE(metropolis_number(cube, 5, 0, site, 0), metropolis_number(larger, 5, 0, site, 0));
    EXPECT_NE(metropolis_number(cube, 5, 0, site, 0), metropolis_number(square, 5, 0, site, 0));
    for (int direction = 0; direction < 3; ++direction)
      equal_couplings += coupling(cube, 5, site, 0, direction) == coupling(larger, 5, site, 0, direction);
  }
  EXPECT_LT(equal_couplings, 108);
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
