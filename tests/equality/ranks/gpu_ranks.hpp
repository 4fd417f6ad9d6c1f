#pragma once
#include <fmt/format.h>

#include "engine/cuda/cuda.hpp"
#include "engine/cuda/multi_gpu/device_of_rank.hpp"
#include "ranked_engine.hpp"
#include "tests/equality/engines/on_gpu.hpp"

namespace psflip::equality {

/// Ranks with a GPU each, which are threads here and share the GPUs of this machine.
inline Backend gpu_ranks(int ranks) {
  return {fmt::format("{} ranks with a GPU each", ranks),
          on_ranks(ranks, [](const System& system, const Share& share, int rank) {
            cuda::use_device_of(rank);
            auto part = cuda::make_part(system, share);
            cuda::use_device_of(0);
            return part;
          })};
}

/// Those of the numbers of ranks that the system can be spread over.
inline Backends gpu_ranks(const System& system, const std::vector<int>& numbers) {
  Backends backends;
  for (const int ranks : numbers)
    if (most_ranks(system, ranks) == ranks) backends.push_back(gpu_ranks(ranks));
  return backends;
}

}  // namespace psflip::equality
