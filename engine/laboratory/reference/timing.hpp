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

/// The same for work that may take long: a first call of at least `least` seconds is the only one.
template <class Work>
double seconds_of_long(const Work& work, double least) {
  const double start = now();
  work();
  const double passed = now() - start;
  return passed >= least ? passed : seconds_of(work, least);
}

}  // namespace psflip::laboratory
