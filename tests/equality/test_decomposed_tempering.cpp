#include "engine/cpu/cpu.hpp"
#include "engine/driver/decomposed_tempering.hpp"
#include "tempering_bodies.hpp"
#include "thread_ranks.hpp"

namespace psflip::equality {
namespace {

using Spins = std::vector<std::int8_t>;

/// A TemperingSystem spread over ranks that are threads of this process, as one engine.
class RankedTempering final : public TemperingEngine {
 public:
  RankedTempering(const TemperingSystem& system, int count, int threads)
      : ranks_(count, [&](Ranks& ranks) {
          return std::make_unique<DecomposedTempering>(system, ranks, [=](const TemperingSystem& s, const Slots& own) {
            return cpu::make_tempering_part(s, own, threads, 0);
          });
        }) {}

  std::uint64_t rounds() const override { return ranks_.first().rounds(); }
  void advance(std::uint64_t rounds) override {
    ranks_.each([=](TemperingEngine& engine) { engine.advance(rounds); });
  }
  TemperingSums sums() const override {
    return ranks_.of_each<TemperingSums>([](const TemperingEngine& engine) { return engine.sums(); })[0];
  }
  void clear_sums() override {
    ranks_.each([](TemperingEngine& engine) { engine.clear_sums(); });
  }
  PackedSigns packed_spins(std::size_t slot) const override {
    return ranks_.of_each<PackedSigns>([=](const TemperingEngine& engine) { return engine.packed_spins(slot); })[0];
  }
  std::vector<Journey> journeys() const override {
    return ranks_.of_each<std::vector<Journey>>([](const TemperingEngine& engine) { return engine.journeys(); })[0];
  }
  Spins fields() const override { return ranks_.first().fields(); }
  void restore_spins(std::size_t slot, const PackedSigns& spins) override {
    ranks_.each([&](TemperingEngine& engine) { engine.restore_spins(slot, spins); });
  }
  void restore(std::uint64_t rounds, const std::vector<Journey>& journeys, const TemperingSums& sums) override {
    ranks_.each([&](TemperingEngine& engine) { engine.restore(rounds, journeys, sums); });
  }

 private:
  Ranked<DecomposedTempering> ranks_;
};

MakeTempering ranked(int ranks, int threads) {
  return [=](const TemperingSystem& system) { return std::make_unique<RankedTempering>(system, ranks, threads); };
}

class TemperingDecomposition : public testing::TestWithParam<NamedTempering> {};

TEST_P(TemperingDecomposition, whole_runs_on_two_to_six_ranks_are_those_of_the_oracle) {
  const TemperingSystem& system = GetParam().system;
  std::vector<MakeTempering> factories = {ranked(2, 1)};
  if (system.slots() >= 3) factories.push_back(ranked(3, 2));
  factories.push_back(ranked(static_cast<int>(std::min<std::size_t>(system.slots(), 6)), 1));  // often one slot each
  compare_tempering(system, factories);
}

TEST_P(TemperingDecomposition, a_restored_state_continues_on_two_ranks_as_in_the_oracle) {
  compare_restored_tempering(GetParam().system, ranked(2, 1));
}

std::string name_of(const testing::TestParamInfo<NamedTempering>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Cpu, TemperingDecomposition, testing::ValuesIn(all_tempering_systems()), name_of);

}  // namespace
}  // namespace psflip::equality
