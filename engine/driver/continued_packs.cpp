#include "engine/driver/continued_packs.hpp"

#include <algorithm>

namespace psflip {

System system_of_packs(const System& all, const std::vector<std::uint64_t>& packs) {
  System some = all;
  const std::vector<std::uint64_t> numbers = all.pack_numbers();
  some.packs.clear();
  for (const std::uint64_t pack : packs) some.packs.push_back(numbers[pack]);
  some.samples = 32 * packs.size();
  return some;
}

EngineState state_of_packs(const Engine& engine, const System& all, const std::vector<std::uint64_t>& packs,
                           const Ranks& ranks) {
  const auto replicas = static_cast<std::size_t>(all.replicas);
  const std::size_t rows = 32 * replicas;  // of a pack, in spins and flow labels
  EngineState state{{}, std::vector<FlowLabel>(all.slots() * packs.size() * rows), engine.rounds()};
  const std::vector<FlowLabel> labels = engine.flow_labels();
  for (std::size_t slot = 0; slot < all.slots(); ++slot) {
    const PackedSigns from = engine.packed_spins(slot);
    PackedSigns& to = state.spins.emplace_back(packs.size() * rows, all.sites());
    for (std::size_t i = 0; ranks.is_first() && i < packs.size(); ++i) {
      const auto first = static_cast<std::ptrdiff_t>(slot * all.samples * replicas + packs[i] * rows);
      std::copy_n(from.row(packs[i] * rows), rows * from.words_in_row(), to.row(i * rows));
      std::copy_n(labels.begin() + first, rows,
                  state.flow_labels.begin() + static_cast<std::ptrdiff_t>((slot * packs.size() + i) * rows));
    }
    ranks.broadcast(to.words.data(), to.words.size() * sizeof(std::uint32_t));
  }
  ranks.broadcast(state.flow_labels.data(), state.flow_labels.size() * sizeof(FlowLabel));
  return state;
}

void restore_state(Engine& engine, const System& system, const EngineState& state) {
  for (std::size_t slot = 0; slot < system.slots(); ++slot) engine.restore_spins(slot, state.spins[slot]);
  engine.restore(state.rounds, state.flow_labels, empty_sums(system));
}

}  // namespace psflip
