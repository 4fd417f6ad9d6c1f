#include <gtest/gtest.h>

#include "oracle.hpp"

namespace psflip::oracle {
namespace {

System small_system() {
  System system;
  system.model = Model::rfim3d;
  system.L = 4;
  system.h = 1;
  system.betas = {0.28, 0.26, 0.24};
  system.samples = 6;
  system.replicas = 2;
  system.seed = 0xDEADBEEF;
  system.round = {4, 1};
  return system;
}

TEST(OracleExchange, restoring_a_state_continues_the_run) {
  const System system = small_system();
  Oracle whole(system), begin(system), end(system);
  whole.advance(7);
  begin.advance(3);
  for (std::size_t slot = 0; slot < 3; ++slot) end.restore_spins(slot, begin.packed_spins(slot));
  end.restore(begin.rounds(), begin.flow_labels(), begin.sums());
  end.advance(4);
  for (std::size_t slot = 0; slot < 3; ++slot) EXPECT_EQ(whole.spins(slot), end.spins(slot));
  EXPECT_EQ(whole.flow_labels(), end.flow_labels());
  EXPECT_EQ(whole.sums().set, end.sums().set);
  EXPECT_EQ(whole.sums().accepted, end.sums().accepted);
  EXPECT_EQ(whole.sums().flow_cold, end.sums().flow_cold);
  EXPECT_EQ(whole.sums().flow_hot, end.sums().flow_hot);
  EXPECT_NE(whole.spins(0), begin.spins(0));
}

TEST(OracleExchange, sums_are_those_of_the_measured_rounds_and_nothing_else_depends_on_when_these_are) {
  const System system = small_system();
  for (const std::uint64_t every : {2, 4}) {
    System thin = system;
    thin.round.rounds_per_sum = every;
    Oracle all(system), some(thin);
    Sums expected = empty_sums(system);
    for (std::uint64_t round = 1; round <= 9; ++round) {
      all.clear_sums();
      all.advance(1);
      some.advance(1);
      const Sums one = all.sums();
      for (std::size_t i = 0; i < one.set.size() && round % every == 0; ++i) expected.set[i] += one.set[i];
      for (std::size_t i = 0; i < one.pair.size() && round % every == 0; ++i) expected.pair[i] += one.pair[i];
      for (std::size_t i = 0; i < one.flow_cold.size(); ++i) {
        expected.flow_cold[i] += one.flow_cold[i];
        expected.flow_hot[i] += one.flow_hot[i];
      }
      for (std::size_t i = 0; i < one.accepted.size(); ++i) expected.accepted[i] += one.accepted[i];
      for (std::size_t i = 0; i < one.round_trips.size(); ++i) expected.round_trips[i] += one.round_trips[i];
    }
    EXPECT_EQ(some.sums().set, expected.set);
    EXPECT_EQ(some.sums().pair, expected.pair);
    EXPECT_EQ(some.sums().accepted, expected.accepted);
    EXPECT_EQ(some.sums().round_trips, expected.round_trips);
    EXPECT_EQ(some.sums().flow_cold, expected.flow_cold);
    EXPECT_EQ(some.sums().flow_hot, expected.flow_hot);
    for (std::size_t slot = 0; slot < 3; ++slot) EXPECT_EQ(some.spins(slot), all.spins(slot));
    EXPECT_EQ(some.flow_labels(), all.flow_labels());
  }
}

TEST(OracleExchange, a_round_trip_goes_from_the_coldest_slot_to_the_hottest_and_back) {
  System system = small_system();
  system.betas = {1e-9, 0.9e-9};  // every exchange is accepted: configurations change places in every even round
  Oracle oracle(system);
  const auto trips = [&] { return oracle.sums().round_trips; };
  oracle.advance(2);  // both were at one end; the one from the cold end is at the hot end
  EXPECT_EQ(trips(), std::vector<std::int32_t>(12, 0));
  oracle.advance(1);  // it comes back
  EXPECT_EQ(trips(), std::vector<std::int32_t>(12, 1));
  oracle.advance(2);  // the other one too
  EXPECT_EQ(trips(), std::vector<std::int32_t>(12, 2));
  EXPECT_EQ(oracle.sums().accepted, std::vector<std::int32_t>(12, 3));
}

/// Counts of the slots, equal in all samples and replicas, as one row of them.
std::vector<std::int32_t> of_slots(const std::vector<std::int32_t>& counts) {
  std::vector<std::int32_t> slots;
  for (std::size_t i = 0; i < counts.size(); i += 12) {
    EXPECT_TRUE(std::all_of(counts.begin() + std::ptrdiff_t(i), counts.begin() + std::ptrdiff_t(i + 12),
                            [&](std::int32_t count) { return count == counts[i]; }));
    slots.push_back(counts[i]);
  }
  return slots;
}

/// Configurations a to e begin in slots 0 to 4 and change places in every round, so after the rounds the slots hold
/// badce, bdaec, dbeac, debca: of these a is from the cold end until it reaches the hot end in round 4.
TEST(OracleExchange, the_flow_counts_configurations_by_the_end_of_the_grid_that_they_visited_last) {
  System system = small_system();
  system.betas = {1e-9, 0.9e-9, 0.8e-9, 0.7e-9, 0.6e-9};
  Oracle oracle(system);
  using Counts = std::vector<std::int32_t>;
  const std::pair<Counts, Counts> cold_and_hot[] = {
      {{1, 1, 0, 0, 0}, {0, 0, 0, 0, 1}},   // b a . . e: c and d have been at neither end
      {{1, 0, 1, 0, 0}, {0, 0, 0, 1, 1}},   // b . a e c
      {{1, 1, 0, 1, 0}, {0, 0, 1, 0, 1}},   // d b e a c
      {{1, 0, 1, 0, 0}, {0, 1, 0, 1, 1}}};  // d e b c a
  for (const auto& [cold, hot] : cold_and_hot) {
    oracle.clear_sums();
    oracle.advance(1);
    EXPECT_EQ(of_slots(oracle.sums().flow_cold), cold);
    EXPECT_EQ(of_slots(oracle.sums().flow_hot), hot);
  }
  oracle.clear_sums();
  oracle.advance(1);  // e comes to the cold end for the first time
  EXPECT_EQ(of_slots(oracle.sums().round_trips), Counts{0});
}

/// Complete configurations are exchanged: as multisets nothing is lost.
TEST(OracleExchange, a_replica_exchanges_without_the_others) {
  System eight = small_system(), two = small_system();
  eight.replicas = 8;
  eight.round.rounds_per_sum = 0;
  two.round.rounds_per_sum = 0;
  Oracle of_eight(eight), of_two(two);
  of_eight.advance(6);
  of_two.advance(6);
  const std::size_t sites = 64;
  for (std::size_t slot = 0; slot < 3; ++slot) {
    const auto all = of_eight.spins(slot), first = of_two.spins(slot);
    for (std::size_t sample = 0; sample < 6; ++sample) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(sample * 8 * sites);
      const auto wanted = first.begin() + static_cast<std::ptrdiff_t>(sample * 2 * sites);
      EXPECT_TRUE(std::equal(begin, begin + 2 * sites, wanted));
    }
  }
  const auto accepted = of_eight.sums().accepted;
  int differ = 0;
  for (std::size_t i = 0; i < accepted.size(); i += 8) differ += accepted[i] != accepted[i + 4];  // replicas 0 and 4
  EXPECT_GT(differ, 0);
  EXPECT_EQ(of_eight.sums().set, empty_sums(eight).set);
}

}  // namespace
}  // namespace psflip::oracle
