#include <thread>

#include "bodies.hpp"
#include "engine/cpu/cpu.hpp"
#include "engine/driver/decomposed.hpp"
#include "thread_ranks.hpp"

namespace psflip::equality {
namespace {

/// A System spread over ranks that are threads of this process, as one Engine.
class RankedEngine final : public Engine {
  template <class F>
  void on_every_rank(F f) const {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < engines_.size(); ++rank)
      threads.emplace_back([this, f, rank] { f(rank, *engines_[rank]); });
  }

  template <class F>
  auto of_every_rank(F f) const {
    std::vector<decltype(f(*engines_[0]))> all(engines_.size());
    on_every_rank([&](std::size_t rank, const Engine& engine) { all[rank] = f(engine); });
    return all;
  }

 public:
  RankedEngine(const System& system, int count, int threads) : place_(count) {
    const MakeDomain make_domain = [=](const System& s, const Planes& planes) {
      return cpu::make_domain(s, planes, threads, 0);
    };
    for (int rank = 0; rank < count; ++rank) {
      ranks_.push_back(std::make_unique<ThreadRanks>(place_, rank, count));
      engines_.push_back(std::make_unique<Decomposed>(system, *ranks_.back(), make_domain));
    }
  }

  std::uint64_t half_sweeps() const override { return engines_[0]->half_sweeps(); }
  void advance(std::uint64_t count) override {
    on_every_rank([=](std::size_t, Engine& engine) { engine.advance(count); });
  }
  void restore(std::uint64_t half_sweeps, const std::vector<std::int8_t>& spins) override {
    on_every_rank([&](std::size_t, Engine& engine) { engine.restore(half_sweeps, spins); });
  }
  Observation observe() const override {
    const std::vector<Observation> all = of_every_rank([](const Engine& engine) { return engine.observe(); });
    for (const Observation& one : all) EXPECT_TRUE(equal("bond_sum of another rank", one.bond_sum, all[0].bond_sum));
    return all[0];
  }
  std::vector<std::int8_t> spins() const override {
    return of_every_rank([](const Engine& engine) { return engine.spins(); })[0];
  }
  std::vector<std::int8_t> couplings() const override {
    return of_every_rank([](const Engine& engine) { return engine.couplings(); })[0];
  }

 private:
  MeetingPoint place_;
  std::vector<std::unique_ptr<ThreadRanks>> ranks_;
  std::vector<std::unique_ptr<Decomposed>> engines_;
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
