#pragma once
#include <algorithm>
#include <limits>

#include "engine/driver/clock.hpp"

namespace psflip::laboratory {

/// Seconds of one call of `work`: the fastest of three series of calls that take `least` seconds together. A first
/// call, which warms caches and clock, does not count.
template <class Work>
double seconds_of(const Work& work, double least) {
  work();
  double best = std::numeric_limits<double>::infinity();
  for (int series = 0; series < 3; ++series) {
    int calls = 0;
    double passed = 0;
    for (const double start = now(); passed < least / 3 || calls == 0; ++calls) {
      work();
      passed = now() - start;
    }
    best = std::min(best, passed / calls);
  }
  return best;
}

}  // namespace psflip::laboratory
