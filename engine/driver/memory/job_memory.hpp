#pragma once
#include "engine/driver/part_engine.hpp"
#include "engine/driver/ranks.hpp"
#include "engine/methods/job.hpp"

/// The memory of a job, known before anything of it is allocated.
namespace psflip {

/// Bytes of an engine in the memory of the host and of its device, if it has one.
struct EngineBytes {
  double host = 0, device = 0;
};
/// The bytes of the engine of a share of a System.
using CountEngine = std::function<EngineBytes(const System&, const Share&)>;

/// Most bytes that a rank needs at a time.
struct JobBytes {
  double host = 0, device = 0;
};

/// The bytes of one of `ranks` ranks: engine, measurements, and their files, which are made in memory. `job` is valid.
/// `keeps_checkpoints`: whether it writes checkpoints, which hold a copy of everything.
JobBytes bytes_of_job(const Job& job, bool keeps_checkpoints, const CountEngine& engine, int rank, int ranks);

}  // namespace psflip
