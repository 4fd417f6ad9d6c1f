#include "ranked_engine.hpp"

#include "tests/equality/engines/equal.hpp"

namespace psflip::equality {

RankedEngine::RankedEngine(const System& system, int count, const MakeShare& make)
    : Engine(system), ranks_(count, [&](Ranks& ranks) {
        return std::make_unique<Decomposed>(
            system, ranks, [&](const System& s, const Share& share) { return make(s, share, ranks.rank()); });
      }) {}

void RankedEngine::advance(std::uint64_t rounds) {
  ranks_.each([=](Engine& engine) { engine.advance(rounds); });
}

Observation RankedEngine::observe() const {
  const auto all = ranks_.of_each<Observation>([](const Engine& engine) { return engine.observe(); });
  for (const Observation& one : all)
    for (const IntegerInfo& info : integer_table)
      EXPECT_TRUE(equal(info.name, one[info.integer], all[0][info.integer])) << "of another rank";
  return all[0];
}

Sums RankedEngine::sums() const {
  return ranks_.of_each<Sums>([](const Engine& engine) { return engine.sums(); })[0];
}

void RankedEngine::clear_sums() {
  ranks_.each([](Engine& engine) { engine.clear_sums(); });
}

PackedSigns RankedEngine::packed_spins(std::size_t slot) const {
  return ranks_.of_each<PackedSigns>([=](const Engine& engine) { return engine.packed_spins(slot); })[0];
}

std::vector<FlowLabel> RankedEngine::flow_labels() const {
  return ranks_.of_each<std::vector<FlowLabel>>([](const Engine& engine) { return engine.flow_labels(); })[0];
}

PackedSigns RankedEngine::packed_couplings() const {
  return ranks_.of_each<PackedSigns>([](const Engine& engine) { return engine.packed_couplings(); })[0];
}

PackedSigns RankedEngine::packed_fields() const {
  return ranks_.of_each<PackedSigns>([](const Engine& engine) { return engine.packed_fields(); })[0];
}

void RankedEngine::restore_spins(std::size_t slot, const PackedSigns& spins) {
  ranks_.each([&](Engine& engine) { engine.restore_spins(slot, spins); });
}

void RankedEngine::restore_disorder(const PackedSigns& couplings, const PackedSigns& fields) {
  ranks_.each([&](Engine& engine) { engine.restore_disorder(couplings, fields); });
}

void RankedEngine::restore(std::uint64_t rounds, const std::vector<FlowLabel>& labels, const Sums& sums) {
  ranks_.each([&](Engine& engine) { engine.restore(rounds, labels, sums); });
}

}  // namespace psflip::equality
