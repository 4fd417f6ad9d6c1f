#pragma once
#include "engine/driver/decomposed_tempering.hpp"
#include "tempering_bodies.hpp"
#include "thread_ranks.hpp"

namespace psflip::equality {

/// A TemperingSystem spread over ranks that are threads of this process, as one engine.
class RankedTempering final : public TemperingEngine {
 public:
  RankedTempering(const TemperingSystem& system, int count, const MakeTemperingPart& make_part)
      : ranks_(count, [&](Ranks& ranks) { return std::make_unique<DecomposedTempering>(system, ranks, make_part); }) {}

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
  std::vector<FlowLabel> flow_labels() const override {
    return ranks_.of_each<std::vector<FlowLabel>>([](const TemperingEngine& engine) { return engine.flow_labels(); })[0];
  }
  std::vector<std::int8_t> fields() const override { return ranks_.first().fields(); }
  void restore_spins(std::size_t slot, const PackedSigns& spins) override {
    ranks_.each([&](TemperingEngine& engine) { engine.restore_spins(slot, spins); });
  }
  void restore(std::uint64_t rounds, const std::vector<FlowLabel>& flow_labels, const TemperingSums& sums) override {
    ranks_.each([&](TemperingEngine& engine) { engine.restore(rounds, flow_labels, sums); });
  }

 private:
  Ranked<DecomposedTempering> ranks_;
};

inline MakeTempering on_ranks(int count, const MakeTemperingPart& make_part) {
  return [=](const TemperingSystem& system) { return std::make_unique<RankedTempering>(system, count, make_part); };
}

}  // namespace psflip::equality
