#pragma once
#include <cstdint>

namespace psflip::cpu {

/// Half sweeps first ... last - 1, counted from the start.
struct HalfSweeps {
  std::uint64_t first, last;
};

/// Replicas first ... last - 1.
struct ReplicaRange {
  std::uint32_t first, last;
};

/// Rows first ... last - 1 of a domain.
struct RowRange {
  std::uint32_t first, last;
};

/// The share of `rows` rows of one thread of a team.
inline RowRange rows_of_thread(std::uint32_t rows, int thread, int team) {
  const auto share = [=](int t) {
    return static_cast<std::uint32_t>(std::uint64_t{rows} * static_cast<std::uint64_t>(t) /
                                      static_cast<std::uint64_t>(team));
  };
  return {share(thread), share(thread + 1)};
}

}  // namespace psflip::cpu
