#pragma once
#include "engine/cuda/update/residual_queue.cuh"

/// The Metropolis decision for a square lattice without couplings and without a field, one replica of 32 samples.
namespace psflip::cuda {

/// The decision of IndependentDecision<1, 2> with fewer instructions of the integer unit, which bounds the kernels that
/// keep spins in shared memory.
struct SquareDecision {
  /// Bit j of the threshold of a lane, which is that of threshold[n] for n = 0 or 1: start + n slope as an equation of
  /// words, in which both are 0, 1 or -1. The units for multiplication, which compute it, have less to do than those
  /// for logic.
  struct alignas(8) Line {
    std::uint32_t start, slope;
  };
  Thresholds thresholds;
  Line line[plane_count];

  explicit SquareDecision(const Thresholds& t) : thresholds(t) {
    for (int j = 0; j < plane_count; ++j) {
      const auto mask = [&](int n) { return threshold_mask(t.by_unsatisfied[n], j); };
      line[j] = {mask(0), mask(0) - mask(1)};
    }
  }

  using Prepared = HalfSweepNumbers::Prepared<plane_count / 4>;
  __device__ __forceinline__ static Prepared prepare(const HalfSweep& s, std::uint32_t site) {
    return s.numbers.prepare<plane_count / 4>(site, {s.first_replica, s.first_replica}, {0, 1});
  }

  /// Lanes that are still undecided, and whether one of their bonds is unsatisfied.
  struct Pending {
    std::uint32_t equal, ones;
  };

  /// Flips the lanes of `spin` that the bit planes decide. A count of four neighbours that are unlike the spin has the
  /// parity of the neighbours, and two or more are unlike if two of three are or if one of three and the fourth is.
  __device__ __forceinline__ Pending operator()(const HalfSweep& s, const Prepared& prepared, std::uint32_t& spin,
                                                const std::uint32_t (&neighbour)[4]) const {
    const std::uint32_t parity = xor3(neighbour[0], neighbour[1], neighbour[2]), ones = parity ^ neighbour[3],
                        two = majority(neighbour[0], neighbour[1], neighbour[2]) ^ spin,
                        always = two | ((parity ^ spin) & (neighbour[3] ^ spin));
    Four<std::uint32_t> u[plane_count / 4];
    s.numbers.draw(prepared, u);
    std::uint32_t less = 0, equal = ~always;
#pragma unroll
    for (int j = plane_count - 1; j >= 0; --j) {
      const std::uint32_t t = ones * line[j].slope + line[j].start, number = u[j / 4].x[j % 4];
      less = less_step(number, t, less);
      equal = equal_step(equal, number, t);
    }
    spin ^= always | less;
    return {equal, ones};
  }

  /// Whether an undecided lane flips. `one`: whether one of its bonds is unsatisfied.
  __device__ __forceinline__ bool flips_lane(const HalfSweep& s, std::uint32_t site, std::uint32_t one,
                                             std::uint32_t lane) const {
    const std::uint32_t threshold = one ? thresholds.by_unsatisfied[1] : thresholds.by_unsatisfied[0];
    return number_of_replica(s, site, s.first_replica, residual_draw + lane) < (threshold << plane_count);
  }
};

}  // namespace psflip::cuda
