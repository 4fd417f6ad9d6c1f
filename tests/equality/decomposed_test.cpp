#include "bodies.hpp"
#include "engine/cpu/cpu.hpp"
#include "ranked_engine.hpp"

namespace psflip::equality {
namespace {

MakeEngine ranked_engine(int ranks, int threads) {
  return [=](const System& system) {
    return std::make_unique<RankedEngine>(system, ranks, [=](const System& s, const Planes& planes, int) {
      return cpu::make_domain(s, planes, threads, 0);
    });
  };
}

class Decomposition : public testing::TestWithParam<NamedSystem> {};

TEST_P(Decomposition, the_trajectories_on_two_three_and_four_ranks_are_that_of_the_oracle) {
  compare_trajectories(GetParam().system, {ranked_engine(2, 1), ranked_engine(3, 2), ranked_engine(4, 1)});
}

TEST_P(Decomposition, a_restored_configuration_continues_on_three_ranks_as_in_the_oracle) {
  compare_restored(GetParam().system, ranked_engine(3, 1));
}

std::string name_of(const testing::TestParamInfo<NamedSystem>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Cpu, Decomposition, testing::ValuesIn(all_systems()), name_of);

TEST(planes_of_ranks, are_consecutive_and_differ_by_one_at_most) {
  for (int count = 1; count <= 10; ++count) {
    std::uint32_t next = 0;
    for (int rank = 0; rank < count; ++rank) {
      const Planes planes = planes_of_rank(10, rank, count);
      EXPECT_EQ(planes.first, next);
      EXPECT_GE(planes.count, 10U / static_cast<unsigned>(count));
      EXPECT_LE(planes.count, 10U / static_cast<unsigned>(count) + 1);
      next += planes.count;
    }
    EXPECT_EQ(next, 10U);
  }
}

}  // namespace
}  // namespace psflip::equality
