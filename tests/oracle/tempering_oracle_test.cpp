#include <gtest/gtest.h>

#include <bit>

#include "numbers.hpp"
#include "tempering_numbers.hpp"
#include "tempering_oracle.hpp"

namespace psflip::oracle {
namespace {

TemperingSystem small_system() {
  TemperingSystem system;
  system.model = Model::rfim3d;
  system.L = 4;
  system.betas = {0.28, 0.26, 0.24};
  system.samples = 6;
  system.seed = 0xDEADBEEF;
  system.exchange_interval = 2;
  return system;
}

constexpr std::uint64_t far_sample = (0xABULL << 37) + (7 << 5) + 9;  // pack 0xAB00000007, lane 9

Key key_of(const TemperingSystem& system, std::uint32_t stream) {
  std::uint64_t hash = 0;
  for (const double value : {system.J, system.h, system.betas[0], system.betas[1], system.betas[2]})
    hash = splitmix64(hash ^ std::bit_cast<std::uint64_t>(value));
  return {system.seed, stream | system_tag(system, hash) << 8};
}

TEST(TemperingNumbers, have_the_documented_addresses) {
  const TemperingSystem system = small_system();
  const std::uint32_t pack_high = 0xABU << 24, slot = 2U << 8;
  EXPECT_EQ(initial_spin(system, far_sample, 1, 2, 51, 1),
            philox4x32_10({25, 1, 7, slot | pack_high}, key_of(system, 3))[1] >> 9 & 1 ? -1 : 1);
  EXPECT_EQ(exchange_number(system, far_sample, 1, 2, 1234),
            philox4x32_10({9, 1234, 7, slot | pack_high}, key_of(system, 5))[1]);
  const std::uint32_t u = metropolis_number(system, far_sample, 1, 2, 51, 13);
  for (unsigned plane = 0; plane < 8; ++plane) {
    const Counter words = philox4x32_10({25, 13, 7, 1U | slot | (plane >> 2) << 16 | pack_high}, key_of(system, 4));
    EXPECT_EQ(u >> (31 - plane) & 1, words[plane & 3] >> 9 & 1);
  }
  EXPECT_EQ(u & 0xFFFFFF, philox4x32_10({25, 13, 7, slot | (32U + 9U) << 16 | pack_high}, key_of(system, 4))[1] >> 8);
}

TEST(TemperingNumbers, fields_belong_to_the_sample_and_nothing_else_does) {
  const TemperingSystem system = small_system();
  TemperingSystem stronger = system, warmer = system;
  stronger.h = 1.5;
  warmer.betas[1] = 0.25;
  for (std::uint64_t site = 0; site < 64; ++site) {
    EXPECT_EQ(field(system, 5, site, 0), field(stronger, 5, site, 0));
    EXPECT_EQ(field(system, 5, site, 0), field(warmer, 5, site, 0));
    EXPECT_NE(metropolis_number(system, 5, 0, 0, site, 0), metropolis_number(stronger, 5, 0, 0, site, 0));
    EXPECT_NE(metropolis_number(system, 5, 0, 0, site, 0), metropolis_number(warmer, 5, 0, 0, site, 0));
    EXPECT_NE(metropolis_number(system, 5, 0, 0, site, 0), metropolis_number(system, 5, 0, 1, site, 0));
    EXPECT_NE(metropolis_number(system, 5, 0, 0, site, 0), metropolis_number(system, 5, 1, 0, site, 0));
  }
}

TEST(TemperingOracle, restoring_a_state_continues_the_run) {
  const TemperingSystem system = small_system();
  TemperingOracle whole(system), begin(system), end(system);
  whole.advance(7);
  begin.advance(3);
  for (std::size_t slot = 0; slot < 3; ++slot) end.restore_spins(slot, begin.packed_spins(slot));
  end.restore(begin.rounds(), begin.flow_labels(), begin.sums());
  end.advance(4);
  for (std::size_t slot = 0; slot < 3; ++slot) EXPECT_EQ(whole.spins(slot), end.spins(slot));
  EXPECT_EQ(whole.flow_labels(), end.flow_labels());
  EXPECT_EQ(whole.sums().set, end.sums().set);
  EXPECT_EQ(whole.sums().accepted, end.sums().accepted);
  EXPECT_NE(whole.spins(0), begin.spins(0));
}

TEST(TemperingOracle, sums_are_those_of_the_measured_rounds_and_nothing_else_depends_on_when_these_are) {
  const TemperingSystem system = small_system();
  for (const std::uint64_t every : {2, 4}) {
    TemperingSystem thin = system;
    thin.measure_interval = every * system.exchange_interval;
    TemperingOracle all(system), some(thin);
    TemperingSums expected = empty_sums(system);
    for (std::uint64_t round = 1; round <= 9; ++round) {
      all.clear_sums();
      all.advance(1);
      some.advance(1);
      const TemperingSums one = all.sums();
      for (std::size_t i = 0; i < one.set.size() && round % every == 0; ++i) expected.set[i] += one.set[i];
      for (std::size_t i = 0; i < one.pair.size() && round % every == 0; ++i) expected.pair[i] += one.pair[i];
      for (std::size_t i = 0; i < one.accepted.size(); ++i) expected.accepted[i] += one.accepted[i];
      for (std::size_t i = 0; i < one.round_trips.size(); ++i) expected.round_trips[i] += one.round_trips[i];
    }
    EXPECT_EQ(some.sums().set, expected.set);
    EXPECT_EQ(some.sums().pair, expected.pair);
    EXPECT_EQ(some.sums().accepted, expected.accepted);
    EXPECT_EQ(some.sums().round_trips, expected.round_trips);
    for (std::size_t slot = 0; slot < 3; ++slot) EXPECT_EQ(some.spins(slot), all.spins(slot));
    EXPECT_EQ(some.flow_labels(), all.flow_labels());
  }
}

TEST(TemperingOracle, a_round_trip_goes_from_the_coldest_slot_to_the_hottest_and_back) {
  TemperingSystem system = small_system();
  system.betas = {1e-9, 0.9e-9};  // every exchange is accepted: configurations change places in every even round
  TemperingOracle oracle(system);
  const auto trips = [&] { return oracle.sums().round_trips; };
  oracle.advance(2);  // both were at one end; the one from the cold end is at the hot end
  EXPECT_EQ(trips(), std::vector<std::int32_t>(12, 0));
  oracle.advance(1);  // it comes back
  EXPECT_EQ(trips(), std::vector<std::int32_t>(12, 1));
  oracle.advance(2);  // the other one too
  EXPECT_EQ(trips(), std::vector<std::int32_t>(12, 2));
  EXPECT_EQ(oracle.sums().accepted, std::vector<std::int32_t>(12, 3));
}

TEST(TemperingOracle, what_the_contract_does_not_define_is_refused) {
  TemperingSystem system = small_system();
  system.L = 5;
  EXPECT_THROW(TemperingOracle{system}, std::invalid_argument);
  system = small_system();
  system.betas = {0.25};
  EXPECT_THROW(TemperingOracle{system}, std::invalid_argument);
}

}  // namespace
}  // namespace psflip::oracle
