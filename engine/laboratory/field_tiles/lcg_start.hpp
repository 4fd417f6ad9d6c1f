#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/laboratory/multi_hit/thread_numbers.hpp"

namespace psflip::laboratory {

/// Start and step of LcgStates for so many threads.
struct LcgStart {
  std::vector<std::uint64_t> states;
  std::uint64_t a = 1, c = 0;
};
inline LcgStart lcg_start(std::size_t threads, std::uint64_t seed) {
  LcgStart start;
  using One = Lcg<std::uint64_t>;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    start.states.push_back(seed);
    seed = One::a * seed + One::c;
    start.c = One::a * start.c + One::c;
    start.a *= One::a;
  }
  return start;
}

}  // namespace psflip::laboratory
