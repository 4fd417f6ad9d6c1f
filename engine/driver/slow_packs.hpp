#pragma once
#include <memory>

#include "engine/driver/ranks.hpp"
#include "engine/driver/tempering_recorder.hpp"

/// Longer runs of the samples that need them: once all samples have their sweeps, the packs of 32 that relax slowest go
/// on (docs/rfim3d.md, "Longer runs of slow samples").
namespace psflip {

/// Places in the job, increasing, of the job.longer.packs packs that contribute most to r, summed over slots: r of a
/// slot is the mean over samples of (m^0 - m^1)^2 / 2, the variance of the mean m of a set over a bin, over the thermal
/// variance of m. Taken from the last bin but one, since the last one is what is averaged for all others;
/// docs/rfim3d.md says what the choice does to samples that do not relax within a bin. Of equal packs the first.
std::vector<std::uint64_t> slowest_packs(const TemperingJob& job, const TemperingRecorder& recorder);

/// The system of some packs of another, by their places in it.
TemperingSystem system_of_packs(const TemperingSystem& all, const std::vector<std::uint64_t>& places);

/// What an engine needs to go on, but for its sums.
struct TemperingState {
  std::vector<PackedSigns> spins;  ///< [slot]
  std::vector<FlowLabel> flow_labels;
  std::uint64_t rounds;
};

/// State of some packs of the system that an engine holds. Called by all ranks together, which all get it.
TemperingState state_of_packs(const TemperingEngine& engine, const TemperingSystem& all,
                              const std::vector<std::uint64_t>& places, const Ranks& ranks);

}  // namespace psflip
