#pragma once
#include <fmt/format.h>

#include "engine/cpu/cpu.hpp"
#include "ranked_engine.hpp"
#include "tests/equality/engines/bodies.hpp"

namespace psflip::equality {

/// The CPU engine in the widest words of this build, on `ranks` ranks with `threads` threads each.
inline Backend cpu_ranks(int ranks, int threads) {
  return {fmt::format("{} ranks of {} threads", ranks, threads),
          on_ranks(ranks, [=](const System& system, const Share& share, int) {
            return cpu::make_part(system, share, threads, 0);
          })};
}

}  // namespace psflip::equality
