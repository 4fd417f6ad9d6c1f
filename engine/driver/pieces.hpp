#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/driver/clock.hpp"
#include "engine/driver/engine.hpp"
#include "engine/io/labelled_file.hpp"

/// What every job needs that runs in pieces and ends in a file: packed spins for checkpoints, the check of a
/// checkpoint, attributes.
namespace psflip {

/// Steps that take about the time between two looks at the clock, the stop signal and the progress line; 1 while the
/// time of a step is not known (0).
std::uint64_t chunk_limit(double seconds_per_step);

/// 0, 1, ..., n - 1.
std::vector<std::int64_t> coordinates(std::size_t n);

/// Appends words of 32 signs under a name, in rows that zeros fill up, with axes of their own: an axis as long as the
/// whole would be larger than the signs.
void add_signs(io::LabelledFile& file, const std::string& name, std::vector<std::uint32_t> words);

/// The attributes that the measurement files of all models have (docs/file-format.md), but for provenance.
io::Attributes attributes_of(const System& system, std::uint64_t sweeps, const std::string& job);

/// Throws UserError unless the checkpoint is of this job and of this version of the random numbers.
void require_same_job(const io::LabelledFile& checkpoint, const std::string& job);

}  // namespace psflip
