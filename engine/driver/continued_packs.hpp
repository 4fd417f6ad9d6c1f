#pragma once
#include <vector>

#include "engine/driver/engine.hpp"
#include "engine/driver/ranks.hpp"

/// Extended runs: some packs of 32 samples continue when all samples have their sweeps (docs/rfim3d.md).
namespace psflip {

/// The system of some packs of another, by their indices in it.
System system_of_packs(const System& all, const std::vector<std::uint64_t>& packs);

/// The state of an engine without its sums.
struct EngineState {
  std::vector<PackedSigns> spins;  ///< [slot]
  std::vector<FlowLabel> flow_labels;
  std::uint64_t rounds;
};

/// State of some packs of the system that an engine holds. Called by all ranks together, which all get it.
EngineState state_of_packs(const Engine& engine, const System& all, const std::vector<std::uint64_t>& packs,
                           const Ranks& ranks);

/// Sets the state of an engine, with sums of zero.
void restore_state(Engine& engine, const System& system, const EngineState& state);

}  // namespace psflip
