#pragma once
#include <string>
#include <vector>

#include "engine/methods/job.hpp"

namespace psflip::bench {

/// The jobs that are timed on the CPU: sizes and modes of the tables in docs/performance.md, `lanes` samples where
/// samples are packed.
std::vector<Job> cpu_bench_jobs(std::uint64_t lanes);

/// The jobs that are timed on a GPU, each a few seconds long on an H200 and with enough samples to fill it.
std::vector<Job> cuda_bench_jobs();

/// For example ea3d-shared-L16, ising2d-independent-sites-L4096 or rfim3d-independent-h0.5-L32, the last if h is not J.
std::string name_of(const Job& job);

}  // namespace psflip::bench
