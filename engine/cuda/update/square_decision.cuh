#pragma once
#include "engine/cuda/update/residual_queue.cuh"
#include "engine/cuda/update/threshold_planes.hpp"

/// The Metropolis decision for a square lattice without couplings and without a field, one replica of 32 samples.
namespace psflip::cuda {

/// The decision of IndependentDecision<1, 2> with fewer instructions of the integer unit, which bounds the kernels that
/// keep spins in shared memory.
struct SquareDecision {
  Thresholds thresholds;
  SquareThresholdPlanes planes;

  explicit SquareDecision(const Thresholds& t) : thresholds(t), planes(t) {}

  using Prepared = HalfSweepNumbers::Prepared<plane_count / 4>;
  __device__ __forceinline__ static Prepared prepare(const HalfSweep& s, std::uint32_t site) {
    return s.numbers.prepare<plane_count / 4>(site, {s.first_replica, s.first_replica}, {0, 1});
  }

  /// Lanes that are still undecided, and whether one of their bonds is unsatisfied.
  struct Pending {
    std::uint32_t equal, ones;
  };

  /// Flips the lanes of `spin` that the bit planes decide.
  __device__ __forceinline__ Pending operator()(const HalfSweep& s, const Prepared& prepared, std::uint32_t& spin,
                                                const std::uint32_t (&neighbour)[4]) const {
    const UnlikeOfFour unlike(spin, neighbour);
    Four<std::uint32_t> u[plane_count / 4];
    s.numbers.draw(prepared, u);
    std::uint32_t less = 0, equal = ~unlike.two;
#pragma unroll
    for (int j = plane_count - 1; j >= 0; --j) {
      const std::uint32_t t = planes(j, unlike.odd), number = u[j / 4].x[j % 4];
      less = less_step(number, t, less);
      equal = equal_step(equal, number, t);
    }
    spin ^= unlike.two | less;
    return {equal, unlike.odd};
  }

  /// Whether an undecided lane flips. `one`: whether one of its bonds is unsatisfied.
  __device__ __forceinline__ bool flips_lane(const HalfSweep& s, std::uint32_t site, std::uint32_t one,
                                             std::uint32_t lane) const {
    const std::uint32_t threshold = one ? thresholds.by_unsatisfied[1] : thresholds.by_unsatisfied[0];
    return number_of_replica(s, site, s.first_replica, residual_draw + lane) < (threshold << plane_count);
  }
};

}  // namespace psflip::cuda
