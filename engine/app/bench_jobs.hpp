#pragma once
#include <string>
#include <variant>
#include <vector>

#include "engine/driver/job.hpp"
#include "engine/driver/tempering_job.hpp"

namespace psflip::app {

using BenchJob = std::variant<Job, TemperingJob>;

/// The jobs that are timed on the CPU: sizes and modes of the tables in docs/performance.md, `lanes` samples where
/// samples are packed.
std::vector<BenchJob> cpu_bench_jobs(std::uint64_t lanes);

/// The jobs that are timed on a GPU, each a few seconds long on an H200 and with enough samples to fill it.
std::vector<BenchJob> cuda_bench_jobs();

/// What --filter looks in: for example ea3d-shared-L16, ising2d-independent-sites-L4096 or rfim3d-independent-h0.5-L32,
/// the last where h is not J.
std::string bench_name(const BenchJob& job);

/// The jobs whose name holds `filter`, all for an empty one. Throws UserError when there is none.
std::vector<BenchJob> filtered(const std::vector<BenchJob>& jobs, const std::string& filter);

/// What is simulated, whatever the model.
const System& system_of(const BenchJob& job);

}  // namespace psflip::app
