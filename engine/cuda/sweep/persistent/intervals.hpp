#pragma once
#include <algorithm>
#include <cstdint>

#include "engine/core/platform.hpp"

/// Division of the half sweeps of a pack into intervals, which balances the load of clusters or groups of blocks.
namespace psflip::cuda {

/// Number of intervals into which the half sweeps of every pack are divided. More intervals leave fewer clusters idle
/// in the last round, but each interval is loaded and stored, which takes about as long as six half sweeps.
inline std::uint32_t choose_intervals(std::uint32_t packs, std::uint32_t clusters, std::uint32_t half_sweeps) {
  constexpr double load = 6;
  std::uint32_t best = 1;
  double least = 0;
  for (std::uint32_t intervals = 1; intervals <= 64 && packs > clusters && intervals <= half_sweeps / 16 + 1;
       ++intervals) {
    const double rounds = (packs * intervals + clusters - 1) / clusters,
                 cost = rounds * (half_sweeps / intervals + load);
    if (intervals == 1 || cost < least) {
      best = intervals;
      least = cost;
    }
  }
  return best;
}

/// Division of all half sweeps of all packs into tasks, so that no group of thread blocks is idle before the end.
/// Interval p of a pack is task p packs + pack. Group g executes the tasks g, g + groups, ... All thread blocks must be
/// co-resident because an interval waits for the preceding one of its pack.
struct Tasks {
  std::uint32_t packs, groups, intervals, length;
  std::uint32_t first_half_sweep, half_sweeps;

  Tasks(std::uint32_t packs_, std::uint32_t groups_, std::uint32_t first_half_sweep_, std::uint32_t half_sweeps_)
      : packs(packs_),
        groups(groups_),
        intervals(choose_intervals(packs, groups, half_sweeps_)),
        length((half_sweeps_ + intervals - 1) / intervals),
        first_half_sweep(first_half_sweep_),
        half_sweeps(half_sweeps_) {}

  PSFLIP_HD std::uint32_t count() const { return packs * intervals; }
  PSFLIP_HD std::uint32_t pack(std::uint32_t task) const { return task % packs; }
  PSFLIP_HD std::uint32_t interval(std::uint32_t task) const { return task / packs; }
  /// Half sweeps of an interval.
  PSFLIP_HD std::uint32_t begin(std::uint32_t interval) const { return first_half_sweep + interval * length; }
  PSFLIP_HD std::uint32_t end(std::uint32_t interval) const {
    const std::uint32_t left = half_sweeps - interval * length;
    return begin(interval) + (length < left ? length : left);
  }
};

}  // namespace psflip::cuda
