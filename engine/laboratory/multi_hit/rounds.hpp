#pragma once
#include <cmath>

#include "engine/laboratory/multi_hit/multi_hit.hpp"
#include "engine/laboratory/multi_hit/site.hpp"
#include "engine/random/acceptance_threshold.hpp"

/// What tiles on a CPU and on a GPU share: thresholds, and the order of updates and measurements.
namespace psflip::laboratory {

template <int D>
FlipThresholds<D> flip_thresholds(double beta) {
  FlipThresholds<D> thresholds{};
  for (int n = 0; n < D; ++n) thresholds.below[n] = acceptance_threshold(4 * beta * (D - n));
  return thresholds;
}

inline double sites_of(const MultiHitPlan& plan) { return std::pow(plan.L, plan.preset->dimension); }

/// One round: every spin is tried `hits` times by update(parity, hits) of all tiles of a parity. Calls measure() where
/// the order says so.
template <class Update, class Measure>
void do_round(const MultiHitPlan& plan, Update update, Measure measure) {
  if (plan.order == Order::naive) {
    for (const int parity : {0, 1}) update(parity, plan.hits);
    measure();
    return;
  }
  for (const int parity : {0, 1}) {
    update(parity, plan.hits / 2);
    measure();
    update(parity, plan.hits / 2);
  }
}

/// Rounds until `sweeps` sweeps are done.
template <class Update, class Measure>
void do_sweeps(const MultiHitPlan& plan, std::uint64_t sweeps, Update update, Measure measure) {
  for (std::uint64_t done = 0; done < sweeps; done += static_cast<std::uint64_t>(plan.hits))
    do_round(plan, update, measure);
}

/// Sets what follows from the number of measurements.
inline void count_flips(MultiHitSeries& series, const MultiHitPlan& plan) {
  series.sweeps_between = plan.order == Order::naive ? plan.hits : 0.5 * plan.hits;
  series.flips = sites_of(plan) * static_cast<double>(series.energy.size()) * series.sweeps_between;
}

}  // namespace psflip::laboratory
