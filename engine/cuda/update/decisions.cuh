#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include "engine/core/update.hpp"
#include "engine/cuda/update/residual_queue.cuh"
#include "engine/cuda/update/threshold_planes.hpp"

/// The Metropolis decision of core/update.hpp for G replicas of one site and 32 samples, in the two modes.
namespace psflip::cuda {

/// Most significant bits, up to plane_count, that are zero in all thresholds.
inline int leading_planes(const Thresholds& t, int D) {
  std::uint32_t largest = 0;
  for (int n = 0; n < D; ++n) largest |= t.by_unsatisfied[n];
  int planes = 0;
  while (planes < plane_count && (largest >> (31 - planes)) == 0) ++planes;
  return planes;
}

/// One random number per site and replica for all samples of the pack. draw() reads no spins and may be called ahead.
/// COLD: for thresholds with is_cold(). Then nearly all numbers are below at most one threshold.
template <int G, int D = 3, bool COLD = false>
struct SharedDecision {
  static_assert(D == 3 || !COLD);
  static constexpr int group = G, dimension = D;
  static constexpr bool uses_queue = false;
  using Drawn = Four<std::uint32_t>;
  Thresholds thresholds;

  __device__ __forceinline__ Drawn draw(const HalfSweep& s, std::uint32_t site) const {
    return s.numbers.draw(site, s.first_replica >> 2, 0);
  }

  using Pending = NothingPending;
  SharedDecision queued() const { return *this; }
  PSFLIP_HD const SharedDecision& at_once() const { return *this; }
  SharedDecision<G, D, true> cold() const { return {thresholds}; }
  PSFLIP_HD SharedDecision<G, D> at_any_temperature() const { return {thresholds}; }

  __device__ __forceinline__ Pending operator()(const HalfSweep&, std::uint32_t, const Drawn& u,
                                                std::uint32_t (&spin)[G], const std::uint32_t (&bond)[G][2 * D]) const {
    if constexpr (COLD)
      decide_cold(u, spin, bond);
    else
      decide_all(u, spin, bond);
    return {};
  }

 private:
  __device__ __forceinline__ void decide_all(const Drawn& u, std::uint32_t (&spin)[G],
                                             const std::uint32_t (&bond)[G][2 * D]) const {
#pragma unroll
    for (int r = 0; r < G; ++r) {
      const std::uint32_t b0 = below(u.x[r], thresholds.by_unsatisfied[0]),
                          b1 = below(u.x[r], thresholds.by_unsatisfied[1]);
      if constexpr (D == 3)
        spin[r] = flip_shared(spin[r], bond[r], xor3(b0, b1, below(u.x[r], thresholds.by_unsatisfied[2])), b1);
      else
        spin[r] = flip_shared(spin[r], bond[r], b1, b0);
    }
  }
  __device__ __forceinline__ void decide_cold(const Drawn& u, std::uint32_t (&spin)[G],
                                              const std::uint32_t (&bond)[G][2 * D]) const {
    BondSums<std::uint32_t> n[G];
    std::uint32_t least = ~0u;
#pragma unroll
    for (int r = 0; r < G; ++r) {
      n[r] = sum_unsatisfied(bond[r]);
      spin[r] = flip_shared_cold(spin[r], n[r], below(u.x[r], thresholds.by_unsatisfied[2]));
      least = min(least, u.x[r]);
    }
    if (least >= thresholds.by_unsatisfied[1]) return;
#pragma unroll
    for (int r = 0; r < G; ++r) {
      const std::uint32_t more = flip_shared_more(spin[r], n[r], below(u.x[r], thresholds.by_unsatisfied[0]));
      if (u.x[r] < thresholds.by_unsatisfied[1]) spin[r] = more;
    }
  }
};

/// One random number per sample. The bit planes decide most lanes. Undecided lanes get residual numbers, either at once
/// or (QUEUED) for many lanes of a warp together. All thresholds are zero in the LEADING most significant planes. There
/// a lane stays equal, or can still become less, only if none of these planes has a bit that is 1. In three dimensions
/// the threshold of n = 1 is the square of that of n = 2, so it is below 2^-8 if the other one is below 2^-4. Then
/// PLANES are the first plane_count bits of the threshold of n = 2 if they are known at compile time, which saves six
/// instructions for a word, else -1.
template <int G, int D, int LEADING = 0, bool QUEUED = false, int PLANES = -1>
struct IndependentDecision {
  static constexpr int group = G, dimension = D;
  static constexpr bool uses_queue = QUEUED, only_two = D == 3 && 2 * LEADING >= plane_count;
  Thresholds thresholds;
  std::conditional_t<D == 3, CubicThresholdPlanes, SquareThresholdPlanes> planes;

  explicit IndependentDecision(const Thresholds& t) : thresholds(t), planes(t) {}

  template <bool OTHER, int KNOWN>
  PSFLIP_HD explicit IndependentDecision(const IndependentDecision<G, D, LEADING, OTHER, KNOWN>& same)
      : thresholds(same.thresholds), planes(same.planes) {}

  /// The same decision with a queue, and without.
  IndependentDecision<G, D, LEADING, true> queued() const { return IndependentDecision<G, D, LEADING, true>(*this); }
  PSFLIP_HD IndependentDecision<G, D, LEADING> at_once() const { return IndependentDecision<G, D, LEADING>(*this); }

  struct Drawn {};  // too many numbers for registers: each replica draws its own where it uses them
  __device__ __forceinline__ Drawn draw(const HalfSweep&, std::uint32_t) const { return {}; }

  /// The numbers of all replicas, for threads that draw those of one site ahead. They are kept in registers: the
  /// compiler would otherwise draw them where they are used.
  struct Numbers {
    Four<std::uint32_t> of_replica[G][plane_count / 4];
  };
  __device__ __forceinline__ Numbers numbers(const HalfSweep& s, std::uint32_t site) const {
    Numbers all;
#pragma unroll
    for (int r = 0; r < G; ++r) {
      draw_planes(s, site, r, all.of_replica[r]);
      for (Four<std::uint32_t>& call : all.of_replica[r])
        for (std::uint32_t& word : call.x) word = in_register(word);
    }
    return all;
  }

  /// Whether an undecided lane flips. `index`: of its threshold.
  __device__ __forceinline__ bool flips_lane(const HalfSweep& s, std::uint32_t site, std::uint32_t replica,
                                             std::uint32_t index, std::uint32_t lane) const {
    return number_of_replica(s, site, replica, residual_draw + lane) <
           (thresholds.by_unsatisfied[index] << plane_count);
  }

  /// Lanes that are still undecided when the spins are stored.
  using Pending = std::conditional_t<QUEUED, UndecidedLanes<G>, NothingPending>;

  __device__ __forceinline__ Pending operator()(const HalfSweep& s, std::uint32_t site, const Drawn&,
                                                std::uint32_t (&spin)[G], const std::uint32_t (&bond)[G][2 * D]) const {
    return decide(s, site, spin, bond, [&](int r, auto& u) { draw_planes(s, site, r, u); });
  }
  __device__ __forceinline__ Pending operator()(const HalfSweep& s, std::uint32_t site, const Numbers& drawn,
                                                std::uint32_t (&spin)[G], const std::uint32_t (&bond)[G][2 * D]) const {
    return decide(s, site, spin, bond, [&](int r, auto& u) {
#pragma unroll
      for (int j = 0; j < plane_count / 4; ++j) u[j] = drawn.of_replica[r][j];
    });
  }

 private:
  __device__ __forceinline__ void draw_planes(const HalfSweep& s, std::uint32_t site, int r,
                                              Four<std::uint32_t> (&u)[plane_count / 4]) const {
    const std::uint32_t field = s.first_replica + r;
    s.numbers.draw<plane_count / 4>(site, {field, field}, {0, 1}, u);
  }
  /// planes_of(r, u) returns the numbers of replica r in u.
  template <class PlanesOf>
  __device__ __forceinline__ Pending decide(const HalfSweep& s, std::uint32_t site, std::uint32_t (&spin)[G],
                                            const std::uint32_t (&bond)[G][2 * D], PlanesOf planes_of) const {
    UndecidedLanes<G> lanes;
    std::uint32_t flip[G];
#pragma unroll
    for (int r = 0; r < G; ++r) {
      const FewUnsatisfied<std::uint32_t> n = few_unsatisfied(bond[r]);
      Four<std::uint32_t> u[plane_count / 4];
      planes_of(r, u);
      std::uint32_t less;
      if constexpr (PLANES < 0)
        compare(n, u, less, lanes.equal[r], lanes.above[r]);
      else
        compare_known(n.two, u, less, lanes.equal[r], lanes.above[r]);
      flip[r] = n.always | less;
      lanes.always[r] = n.always;
      lanes.some[r] = n.some;
      lanes.two[r] = n.two;
    }
    if constexpr (!QUEUED) resolve(s, site, flip, lanes);
#pragma unroll
    for (int r = 0; r < G; ++r) spin[r] ^= flip[r];
    if constexpr (QUEUED)
      return lanes;
    else
      return {};
  }

  /// `above`: lanes whose number has a bit in the leading planes. There `equal` is arbitrary.
  __device__ __forceinline__ void compare(const FewUnsatisfied<std::uint32_t>& n,
                                          const Four<std::uint32_t> (&u)[plane_count / 4], std::uint32_t& less,
                                          std::uint32_t& equal, std::uint32_t& above) const {
    less = 0;
    equal = ~0u;
#pragma unroll
    for (int j = plane_count - 1; j >= LEADING; --j) {
      const std::uint32_t t = planes.template plane<only_two>(j, n), number = u[j / 4].x[j % 4];
      less = less_step(number, t, less);
      equal = equal_step(equal, number, t);
    }
    above = any_leading(u);
    less &= ~above;
  }
  /// The same with known PLANES, three of them behind the leading ones: six instructions.
  __device__ __forceinline__ void compare_known(std::uint32_t two, const Four<std::uint32_t> (&u)[plane_count / 4],
                                                std::uint32_t& less, std::uint32_t& equal, std::uint32_t& above) const {
    static_assert(only_two && LEADING == plane_count - 3);
    constexpr bool first = (PLANES & 4) != 0, second = (PLANES & 2) != 0, third = (PLANES & 1) != 0;
    constexpr int below = table_of([](bool a, bool b, bool c) { return 4 * a + 2 * b + c < PLANES; }),
                  both = table_of(
                      [](bool is_below, bool is_two, bool is_above) { return is_below && is_two && !is_above; }),
                  start = table_of(
                      [](bool a, bool b, bool is_two) { return a == (first && is_two) && b == (second && is_two); }),
                  end = table_of([](bool is_equal, bool c, bool is_two) { return is_equal && c == (third && is_two); });
    const std::uint32_t(&x)[4] = u[1].x;
    above = any_leading(u);
    less = logic3<both>(logic3<below>(x[1], x[2], x[3]), two, above);
    equal = logic3<end>(logic3<start>(x[1], x[2], two), x[3], two);
  }
  __device__ __forceinline__ static std::uint32_t any_leading(const Four<std::uint32_t> (&u)[plane_count / 4]) {
    std::uint32_t any = LEADING % 2 ? u[0].x[0] : 0;
#pragma unroll
    for (int j = LEADING % 2; j < LEADING; j += 2) any = or3(any, u[j / 4].x[j % 4], u[(j + 1) / 4].x[(j + 1) % 4]);
    return any;
  }

  /// Residual numbers of the undecided lanes: one call serves the same lane of all replicas of the group.
  __device__ __forceinline__ void resolve(const HalfSweep& s, std::uint32_t site, std::uint32_t (&flip)[G],
                                          UndecidedLanes<G>& lanes) const {
#pragma unroll
    for (int r = 0; r < G; ++r) lanes.equal[r] = lanes.undecided(r);
    while (true) {
      std::uint32_t any = 0;
#pragma unroll
      for (int r = 0; r < G; ++r) any |= lanes.equal[r];
      if (any == 0) return;
      const std::uint32_t bit = any & (0u - any);
      const auto u = s.numbers.draw(site, s.first_replica >> 2, residual_draw + __ffs(any) - 1);
#pragma unroll
      for (int r = 0; r < G; ++r) {
        const std::uint32_t t = threshold_of_lane(thresholds, D, lanes.some[r] & bit, lanes.two[r] & bit);
        if ((lanes.equal[r] & bit) && u.x[r] < (t << plane_count)) flip[r] |= bit;
        lanes.equal[r] &= ~bit;
      }
    }
  }
};

/// Calls f with the same decision: with known PLANES if all thresholds but one are zero in all planes.
template <int G, int LEADING, bool QUEUED, class F>
void with_known_planes(const IndependentDecision<G, 3, LEADING, QUEUED>& decide, F f) {
  using Decision = IndependentDecision<G, 3, LEADING, QUEUED>;
  if constexpr (Decision::only_two) {
    const auto planes = static_cast<int>(decide.thresholds.by_unsatisfied[2] >> (32 - plane_count));
    const auto call = [&]<int... PLANES>(std::integer_sequence<int, PLANES...>) {
      ((planes == PLANES ? f(IndependentDecision<G, 3, LEADING, QUEUED, PLANES>(decide)) : void()), ...);
    };
    call(std::make_integer_sequence<int, 1 << (plane_count - LEADING)>{});
  } else {
    f(decide);
  }
}

}  // namespace psflip::cuda
