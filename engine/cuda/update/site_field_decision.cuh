#pragma once
#include <type_traits>

#include "engine/core/site_decision.hpp"
#include "engine/cuda/update/residual_queue.cuh"
#include "engine/models/model.hpp"

/// The Metropolis decision for one site of 32 samples in a field.
namespace psflip::cuda {

/// Lanes that the bit planes leave undecided, and the bits of the classes of all lanes.
template <int BITS>
struct UndecidedInField {
  std::uint32_t equal, bit[BITS];
};

/// One kernel for h = 0 and any other field, instead of one for each scheme of core/site_decision.hpp.
template <class T>
struct SiteFieldDecision {
  static constexpr int group = 1;
  static constexpr bool uses_queue = true;
  using Scheme = AnyField<T::dimension, true>;
  DecisionTables<std::uint32_t, Scheme, plane_count> tables;
  bool shared;  ///< one random number for all samples

  SiteFieldDecision(const FieldThresholds& t, bool is_shared) : tables(t), shared(is_shared) {}

  SiteFieldDecision queued() const { return *this; }
  PSFLIP_HD const SiteFieldDecision& at_once() const { return *this; }

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
