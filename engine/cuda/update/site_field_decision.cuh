#pragma once
#include <type_traits>

#include "engine/core/site_decision.hpp"
#include "engine/cuda/update/residual_queue.cuh"
#include "engine/models/model.hpp"

/// The Metropolis decision for one site of 32 samples in a field.
namespace psflip::cuda {

/// The classes of any field and of h = 0, which AnyField leaves to another scheme: one kernel instead of one for each
/// scheme of core/site_decision.hpp. The class is j, the number of neighbours that, times their bonds, are unlike the
/// field. With dE = 4 J (D - n) + 2 h (1 - 2 f), n = j for f = 0 and 2 D - j for f = 1, so dE(j, 1) = -dE(j, 0): at
/// most one value of f costs energy, and j alone selects the threshold.
template <int D>
struct UnlikeField {
  static constexpr int bits = 3, always_entries = 16;  ///< of always(): j + 8 f

  static bool costs(int j, int f, const FieldThresholds& t) {
    return j <= 2 * D && !t.always[f][f == 0 ? j : 2 * D - j];  // larger j do not occur
  }
  static std::uint32_t threshold(int j, const FieldThresholds& t) {
    if (costs(j, 0, t)) return t.below[0][j];
    return costs(j, 1, t) ? t.below[1][2 * D - j] : 0;
  }
  static bool always(int i, const FieldThresholds& t) { return !costs(i & 7, i >> 3, t); }

  template <class T, class W>
  PSFLIP_HD static FieldClass<W, bits> classify(const Site<T, W>& site, const W* always) {
    const W against = site.against();
    W unlike[2 * D];
    bonds_of(site, unlike);
    PSFLIP_UNROLL(6)
    for (int k = 0; k < 2 * D; ++k) unlike[k] ^= against;
    const BondCount<W> n = count_unsatisfied(unlike);
    FieldClass<W, bits> c{{n.ones, n.twos, n.fours}, {}};
    c.always = select(against, select_entry<bits>(c.bit, always + 8), select_entry<bits>(c.bit, always));
    return c;
  }
  template <class W>
  PSFLIP_HD static W entry(const W* bit, const W* table) {
    return select_entry<bits>(bit, table);
  }
};

/// Lanes that the bit planes leave undecided, and the bits of the classes of all lanes.
template <int BITS>
struct UndecidedInField {
  std::uint32_t equal, bit[BITS];
};

template <class T>
struct SiteFieldDecision {
  static constexpr int group = 1;
  static constexpr bool uses_queue = true;
  using Scheme = UnlikeField<T::dimension>;
  DecisionTables<std::uint32_t, Scheme, plane_count> tables;
  bool shared;  ///< one random number for all samples

  SiteFieldDecision(const FieldThresholds& t, bool is_shared) : tables(t), shared(is_shared) {}

  SiteFieldDecision queued() const { return *this; }

  using Pending = UndecidedInField<Scheme::bits>;

  /// The lanes of replica `first_replica` of the half sweep that flip.
  __device__ __forceinline__ std::uint32_t flips(const HalfSweep& s, std::uint32_t address,
                                                 const Site<T, std::uint32_t>& site) const {
    Pending pending;
    std::uint32_t flip = decided_flips(s, address, site, pending);
    for (std::uint32_t equal = pending.equal; equal != 0; equal &= equal - 1) {
      const std::uint32_t lane = __ffs(equal) - 1;
      if (flips_lane(s, address, s.first_replica, index_of_lane(pending.bit, lane), lane)) flip |= 1u << lane;
    }
    return flip;
  }

  /// The same without the lanes that are still undecided, which are left in `pending`.
  __device__ __forceinline__ std::uint32_t decided_flips(const HalfSweep& s, std::uint32_t address,
                                                         const Site<T, std::uint32_t>& site, Pending& pending) const {
    const auto c = Scheme::classify(site, tables.always);
    pending = {};
    if constexpr (T::has_couplings)
      if (shared) return less_of_shared(s, address, c.bit) | c.always;
    Four<std::uint32_t> u[plane_count / 4];
    s.numbers.draw<plane_count / 4>(address, {s.first_replica, s.first_replica}, {0, 1}, u);
    std::uint32_t plane[plane_count];
#pragma unroll
    for (int j = 0; j < plane_count; ++j) plane[j] = u[j / 4].x[j % 4];
    const auto decided = compare_planes<std::uint32_t, Scheme, plane_count>(c, tables, plane);
    pending.equal = decided.equal;
#pragma unroll
    for (int b = 0; b < Scheme::bits; ++b) pending.bit[b] = c.bit[b];
    return decided.less | c.always;
  }

  /// Whether an undecided lane flips. `index`: of its class.
  __device__ __forceinline__ bool flips_lane(const HalfSweep& s, std::uint32_t address, std::uint32_t replica,
                                             std::uint32_t index, std::uint32_t lane) const {
    return number_of_replica(s, address, replica, residual_draw + lane) < (tables.threshold[index] << plane_count);
  }

 private:
  /// The lanes whose threshold is above the number that all share.
  __device__ __forceinline__ std::uint32_t less_of_shared(const HalfSweep& s, std::uint32_t address,
                                                          const std::uint32_t (&j)[Scheme::bits]) const {
    const std::uint32_t u = number_of_replica(s, address, s.first_replica, 0);
    std::uint32_t less[1 << Scheme::bits];
#pragma unroll
    for (int k = 0; k < 1 << Scheme::bits; ++k) less[k] = below(u, tables.threshold[k]);
    return Scheme::entry(j, less);
  }
};

template <class T, class Decision>
inline constexpr bool decides_in_field = std::is_same_v<Decision, SiteFieldDecision<T>>;

}  // namespace psflip::cuda
