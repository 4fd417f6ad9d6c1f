#pragma once
#include "bodies.hpp"
#include "engine/driver/decomposed.hpp"
#include "thread_ranks.hpp"

namespace psflip::equality {

/// A System spread over ranks that are threads of this process, as one Engine.
class RankedEngine final : public Engine {
 public:
  /// make(system, planes, rank) makes the engine of a rank.
  template <class Make>
  RankedEngine(const System& system, int count, Make make)
      : ranks_(count, [&](Ranks& ranks) {
          return std::make_unique<Decomposed>(
              system, ranks, [&](const System& s, const Planes& planes) { return make(s, planes, ranks.rank()); });
        }) {}

  std::uint64_t half_sweeps() const override { return ranks_.first().half_sweeps(); }
  void advance(std::uint64_t count) override {
    ranks_.each([=](Engine& engine) { engine.advance(count); });
  }
  std::string halo() const override { return ranks_.first().halo(); }
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
  std::vector<std::int8_t> couplings() const override {
    return ranks_.of_each<std::vector<std::int8_t>>([](const Engine& engine) { return engine.couplings(); })[0];
  }

 private:
  Ranked<Decomposed> ranks_;
};

}  // namespace psflip::equality
