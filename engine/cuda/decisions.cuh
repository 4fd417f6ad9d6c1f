#pragma once
#include <cstdint>

#include "engine/core/update.hpp"
#include "engine/cuda/numbers.cuh"

/// The Metropolis decision of core/update.hpp for G replicas of one site and 32 samples, in the two modes.
namespace psflip::cuda {

/// Everything that is the same for all sites of a pack during a half sweep.
struct HalfSweep {
  HalfSweepNumbers numbers;
  std::uint32_t first_replica;  ///< of the group, a multiple of 4

  __device__ __forceinline__ HalfSweep(Key key, std::uint64_t pack, std::uint32_t half_sweep, std::uint32_t first)
      : numbers(key, pack, half_sweep), first_replica(first) {}
};

/// All ones where u < t: the borrow of a subtraction, two instructions.
__device__ __forceinline__ std::uint32_t below(std::uint32_t u, std::uint32_t t) {
  std::uint32_t mask;
  asm("{ .reg .u32 d; sub.cc.u32 d, %1, %2; subc.u32 %0, 0, 0; }" : "=r"(mask) : "r"(u), "r"(t));
  return mask;
}

/// One number per site and replica for all samples of the pack. draw() needs no spins and can run ahead.
template <int G>
struct SharedDecision {
  static constexpr int group = G;
  using Drawn = Four<std::uint32_t>;
  Thresholds thresholds;

  __device__ __forceinline__ Drawn draw(const HalfSweep& s, std::uint32_t site) const {
    return s.numbers.draw(site, s.first_replica >> 2, 0);
  }

  template <int B>
  __device__ __forceinline__ void operator()(const HalfSweep&, std::uint32_t, const Drawn& u, std::uint32_t (&spin)[G],
                                             const std::uint32_t (&bond)[G][B]) const {
#pragma unroll
    for (int r = 0; r < G; ++r) {
      const std::uint32_t b0 = below(u.x[r], thresholds.by_unsatisfied[0]),
                          b1 = below(u.x[r], thresholds.by_unsatisfied[1]),
                          b2 = below(u.x[r], thresholds.by_unsatisfied[2]);
      spin[r] = flip_shared(spin[r], bond[r], xor3(b0, b1, b2), b1);
    }
  }
};

template <int G, int D>
struct IndependentDecision {
  static constexpr int group = G;
  Thresholds thresholds;
  std::uint32_t plane[plane_count][D];  ///< bit j of threshold[n], all ones or zero

  explicit IndependentDecision(const Thresholds& t) : thresholds(t) {
    for (int j = 0; j < plane_count; ++j)
      for (int n = 0; n < D; ++n) plane[j][n] = 0u - ((t.by_unsatisfied[n] >> (31 - j)) & 1u);
  }

  struct Drawn {};  // too many numbers to keep: each replica's are drawn where they are used
  __device__ __forceinline__ Drawn draw(const HalfSweep&, std::uint32_t) const { return {}; }

  __device__ __forceinline__ void operator()(const HalfSweep& s, std::uint32_t site, const Drawn&,
                                             std::uint32_t (&spin)[G], const std::uint32_t (&bond)[G][2 * D]) const {
    std::uint32_t flip[G], equal[G], ones[G], twos[G];
#pragma unroll
    for (int r = 0; r < G; ++r) {
      const BondCount<std::uint32_t> n = count_unsatisfied(bond[r]);
      const std::uint32_t always = always_accepted(n, bond[r]);
      std::uint32_t less = 0;
      equal[r] = ~always;
#pragma unroll
      for (int draw = plane_count / 4 - 1; draw >= 0; --draw) {
        const auto u = s.numbers.draw(site, s.first_replica + r, draw);
#pragma unroll
        for (int j = 3; j >= 0; --j) {
          const std::uint32_t t = threshold_plane<D>(n, plane[4 * draw + j]);
          less = less_step(u.x[j], t, less);
          equal[r] = equal_step(equal[r], u.x[j], t);
        }
      }
      flip[r] = always | less;
      ones[r] = n.ones;
      twos[r] = n.twos;
    }
    resolve(s, site, flip, equal, ones, twos);
#pragma unroll
    for (int r = 0; r < G; ++r) spin[r] ^= flip[r];
  }

 private:
  /// Residual numbers of the undecided lanes: one call serves the same lane of all replicas of the group.
  __device__ __forceinline__ void resolve(const HalfSweep& s, std::uint32_t site, std::uint32_t (&flip)[G],
                                          std::uint32_t (&equal)[G], const std::uint32_t (&ones)[G],
                                          const std::uint32_t (&twos)[G]) const {
    while (true) {
      std::uint32_t any = 0;
#pragma unroll
      for (int r = 0; r < G; ++r) any |= equal[r];
      if (any == 0) return;
      const std::uint32_t bit = any & (0u - any);
      const auto u = s.numbers.draw(site, s.first_replica >> 2, residual_draw + __ffs(any) - 1);
#pragma unroll
      for (int r = 0; r < G; ++r) {
        std::uint32_t t = (ones[r] & bit) ? thresholds.by_unsatisfied[1] : thresholds.by_unsatisfied[0];
        if (D == 3 && (twos[r] & bit)) t = thresholds.by_unsatisfied[2];
        if ((equal[r] & bit) && u.x[r] < (t << plane_count)) flip[r] |= bit;
        equal[r] &= ~bit;
      }
    }
  }
};

}  // namespace psflip::cuda
