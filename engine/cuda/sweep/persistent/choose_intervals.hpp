#pragma once
#include <cstdint>

/// How the half sweeps of all packs are dealt out to clusters.
namespace psflip::cuda {

/// In how many parts to cut the half sweeps of every pack: more parts leave fewer clusters idle in the last round, but
/// each part is loaded and stored, which takes about as long as six half sweeps.
inline std::uint32_t choose_parts(std::uint32_t packs, std::uint32_t clusters, std::uint32_t half_sweeps) {
  constexpr double load = 6;
  std::uint32_t best = 1;
  double least = 0;
  for (std::uint32_t parts = 1; parts <= 64 && packs > clusters && parts <= half_sweeps / 16 + 1; ++parts) {
    const double rounds = (packs * parts + clusters - 1) / clusters, cost = rounds * (half_sweeps / parts + load);
    if (parts == 1 || cost < least) {
      best = parts;
      least = cost;
    }
  }
  return best;
}

}  // namespace psflip::cuda
