#pragma once
#include <cstdint>

/// Division of the half sweeps of a pack into intervals, which balances the load of the clusters.
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

}  // namespace psflip::cuda
