#include <gtest/gtest.h>

#include "cpu_ranks.hpp"
#include "tests/equality/engines/exchange_systems.hpp"
#include "tests/equality/engines/member_suite.hpp"

// Planes of lattices and temperature slots on ranks that are threads of this process.
namespace psflip::equality {
namespace {

Backends two_three_and_most(const System& system, int limit) {
  Backends backends = {cpu_ranks(2, 1)};
  if (most_ranks(system, 3) == 3) backends.push_back(cpu_ranks(3, 2));
  if (most_ranks(system, limit) > 3) backends.push_back(cpu_ranks(most_ranks(system, limit), 1));
  return backends;
}

std::string name_of_system(const testing::TestParamInfo<NamedSystem>& info) { return info.param.name; }

class Decomposition : public testing::TestWithParam<NamedSystem> {};

TEST_P(Decomposition, the_trajectories_on_two_three_and_four_ranks_are_that_of_the_oracle) {
  compare_trajectories(GetParam().system, two_three_and_most(GetParam().system, 4));
}

TEST_P(Decomposition, a_restored_configuration_continues_on_three_ranks_as_in_the_oracle) {
  compare_restored(GetParam().system, {cpu_ranks(3, 1)});
}

INSTANTIATE_TEST_SUITE_P(Cpu, Decomposition, testing::ValuesIn(all_systems()), name_of_system);

class SlotDecomposition : public testing::TestWithParam<NamedSystem> {};

TEST_P(SlotDecomposition, the_trajectories_on_two_to_six_ranks_are_those_of_the_oracle) {
  compare_trajectories(GetParam().system, two_three_and_most(GetParam().system, 6));  // often one slot each
}

TEST_P(SlotDecomposition, a_restored_state_continues_on_two_ranks_as_in_the_oracle) {
  compare_restored(GetParam().system, {cpu_ranks(2, 1)});
}

INSTANTIATE_TEST_SUITE_P(Cpu, SlotDecomposition, testing::ValuesIn(all_exchange_systems()), name_of_system);

/// Every member of the family with every method.
class Members : public MemberSuite {};

TEST_P(Members, have_the_trajectories_of_the_oracle_on_two_three_and_four_ranks) {
  compare_all(compare_trajectories, [](const System& system) { return two_three_and_most(system, 4); });
}

TEST_P(Members, simulate_given_disorder_as_the_oracle) {
  compare_all(compare_given_disorder, [](const System& system) { return two_three_and_most(system, 4); });
}

TEST_P(Members, continue_a_restored_configuration_as_the_oracle) {
  compare_all(compare_restored, [](const System&) { return Backends{cpu_ranks(2, 2)}; });
}

INSTANTIATE_TEST_SUITE_P(Ranks, Members, testing::ValuesIn(all_members()), name_of_parameter);

System lattice_of_planes(int L) {
  System system;
  system.L = L;
  system.betas = {0.5};
  return system;
}

TEST(SharesOfRanks, of_planes_are_consecutive_and_differ_by_one_at_most) {
  for (int count = 1; count <= 10; ++count) {
    std::uint32_t next = 0;
    for (int rank = 0; rank < count; ++rank) {
      const Share share = share_of_rank(lattice_of_planes(10), rank, count);
      EXPECT_EQ(share.slots.count, 1U);
      EXPECT_EQ(share.planes.first, next);
      EXPECT_GE(share.planes.count, 10U / static_cast<unsigned>(count));
      EXPECT_LE(share.planes.count, 10U / static_cast<unsigned>(count) + 1);
      next += share.planes.count;
    }
    EXPECT_EQ(next, 10U);
  }
}

TEST(SharesOfRanks, of_slots_are_consecutive_and_hold_all_planes) {
  System system = lattice_of_planes(6);
  system.betas = {0.5, 0.4, 0.3, 0.2, 0.1};
  std::size_t next = 0;
  for (int rank = 0; rank < 3; ++rank) {
    const Share share = share_of_rank(system, rank, 3);
    EXPECT_EQ(share.planes.count, 6U);
    EXPECT_EQ(share.slots.first, next);
    EXPECT_GE(share.slots.count, 1U);
    EXPECT_LE(share.slots.count, 2U);
    next += share.slots.count;
  }
  EXPECT_EQ(next, 5U);
}

}  // namespace
}  // namespace psflip::equality
