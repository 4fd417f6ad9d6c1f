#include "bodies.hpp"
#include "engine/cpu/cpu.hpp"
#include "engine/driver/decomposed.hpp"
#include "thread_ranks.hpp"

namespace psflip::equality {
namespace {

using Spins = std::vector<std::int8_t>;

/// A System spread over ranks that are threads of this process, as one Engine.
class RankedEngine final : public Engine {
 public:
  RankedEngine(const System& system, int count, int threads)
      : ranks_(count, [&](Ranks& ranks) {
          return std::make_unique<Decomposed>(system, ranks, [=](const System& s, const Planes& planes) {
            return cpu::make_domain(s, planes, threads, 0);
          });
        }) {}

  std::uint64_t half_sweeps() const override { return ranks_.first().half_sweeps(); }
  void advance(std::uint64_t count) override {
    ranks_.each([=](Engine& engine) { engine.advance(count); });
  }
  void restore(std::uint64_t half_sweeps, const PackedSigns& spins) override {
    ranks_.each([&](Engine& engine) { engine.restore(half_sweeps, spins); });
  }
  Observation observe() const override {
    const auto all = ranks_.of_each<Observation>([](const Engine& engine) { return engine.observe(); });
    for (const Observation& one : all) EXPECT_TRUE(equal("bond_sum of another rank", one.bond_sum, all[0].bond_sum));
    return all[0];
  }
  PackedSigns packed_spins() const override {
    return ranks_.of_each<PackedSigns>([](const Engine& engine) { return engine.packed_spins(); })[0];
  }
  Spins couplings() const override {
    return ranks_.of_each<Spins>([](const Engine& engine) { return engine.couplings(); })[0];
  }

 private:
  Ranked<Decomposed> ranks_;
};

MakeEngine ranked_engine(int ranks, int threads) {
  return [=](const System& system) { return std::make_unique<RankedEngine>(system, ranks, threads); };
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
