#pragma once
#include <algorithm>
#include <limits>

#include "engine/driver/clock.hpp"
#include "engine/laboratory/multi_hit/multi_hit.hpp"

namespace psflip::laboratory {

/// Times of two kinds of rounds, in turn: three series of each, `seconds` together and one round each at least, of
/// which the fastest counts. wait() returns when all rounds are done.
template <class Tracked, class Untracked, class Wait>
TrackingTimes best_times(Tracked tracked, Untracked untracked, Wait wait, double seconds) {
  const auto seconds_of_round = [&](auto& round, int count) {
    const double start = now();
    for (int i = 0; i < count; ++i) round();
    wait();
    return (now() - start) / count;
  };
  // The first rounds warm caches and clock, the others tell how many rounds make a series.
  seconds_of_round(untracked, 1);
  const double one = seconds_of_round(tracked, 1);
  const int count = std::max(1, static_cast<int>(std::min(seconds / 6 / one, 1e6)));
  constexpr double never = std::numeric_limits<double>::infinity();
  TrackingTimes best{never, never};
  for (int series = 0; series < 3; ++series) {
    best.tracked = std::min(best.tracked, seconds_of_round(tracked, count));
    best.untracked = std::min(best.untracked, seconds_of_round(untracked, count));
  }
  return best;
}

}  // namespace psflip::laboratory
