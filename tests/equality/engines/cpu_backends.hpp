#pragma once
#include <fmt/format.h>

#include "bodies.hpp"
#include "engine/cpu/cpu.hpp"

namespace psflip::equality {

/// The CPU engine of one word width, on each of the numbers of threads.
inline Backends cpu_backends(int word_bits, const std::vector<int>& threads) {
  Backends backends;
  for (const int count : threads)
    backends.push_back({fmt::format("words of {} bits, {} threads", word_bits, count),
                        [=](const System& system) { return cpu::make_engine(system, count, word_bits); }});
  return backends;
}

}  // namespace psflip::equality
