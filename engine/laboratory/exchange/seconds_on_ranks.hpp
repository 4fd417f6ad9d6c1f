#pragma once
#include <algorithm>
#include <functional>
#include <limits>

#include "engine/driver/clock.hpp"
#include "engine/driver/ranks.hpp"

namespace psflip::laboratory {

/// Seconds of one call of `work`: the fastest of ten series of at least `least` seconds together, since ranks that
/// share cores with others wait for each other now and then. A series ends after `wait`, when all its work is done.
/// Rank 0 decides how many calls a series has.
template <class Work>
double seconds_on_ranks(const Ranks& ranks, const Work& work, double least, const std::function<void()>& wait) {
  const auto seconds_of_series = [&](int calls) {
    ranks.of_first(0);  // all start together
    const double start = now();
    for (int call = 0; call < calls; ++call) work();
    wait();
    return ranks.of_first(now() - start);
  };
  constexpr int count = 10;
  int calls = 1;
  while (seconds_of_series(calls) < least / count) calls *= 2;
  double best = std::numeric_limits<double>::infinity();
  for (int series = 0; series < count; ++series) best = std::min(best, seconds_of_series(calls) / calls);
  return best;
}

}  // namespace psflip::laboratory
