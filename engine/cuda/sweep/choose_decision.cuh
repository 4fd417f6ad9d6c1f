#pragma once
#include "engine/cuda/sweep/metropolis.hpp"
#include "engine/cuda/update/decisions.cuh"
#include "engine/cuda/update/site_field_decision.cuh"

/// The decision of a model and the groups of replicas that a kernel updates together.
namespace psflip::cuda {

/// Calls f.template operator()<G>(first) for groups of G replicas, at most four. `first` is a multiple of four: the
/// replicas of a group share Philox calls.
template <class F>
void for_each_group(std::uint32_t replicas, F f) {
  for (std::uint32_t first = 0; first < replicas; first += 4) {
    switch (replicas - first) {
      case 1:
        f.template operator()<1>(first);
        break;
      case 2:
        f.template operator()<2>(first);
        break;
      case 3:
        f.template operator()<3>(first);
        break;
      default:
        f.template operator()<4>(first);
    }
  }
}

/// Calls f(decision) for a group of replicas of a cubic lattice with couplings. The usual groups, and the remainder of
/// six replicas, have kernels for thresholds whose most significant bits are zero.
template <int G, class F>
void with_cubic_decision(const Metropolis& m, F f) {
  constexpr bool by_planes = G == 2 || G == 4;
  if (m.shared) return f(SharedDecision<G>{m.thresholds});
  const int leading = by_planes ? leading_planes(m.thresholds, 3) : 0;
  if (leading >= 5) return f(IndependentDecision<G, 3, (by_planes ? 5 : 0)>(m.thresholds));
  if (leading >= 3) return f(IndependentDecision<G, 3, (by_planes ? 3 : 0)>(m.thresholds));
  f(IndependentDecision<G, 3>(m.thresholds));
}

/// Calls f(decision, first replica) for all groups of replicas, with the decisions of the kernels for any model. A
/// uniform field may be 0, where the decision without field is faster.
template <class T, class F>
void for_each_decision(std::uint32_t replicas, const Metropolis& m, F f) {
  if constexpr (T::has_field) {
    if (T::has_field_words || !NoField<T::dimension>::allows(m.field)) {
      const SiteFieldDecision<T> decide(m.field, m.shared);
      for (std::uint32_t replica = 0; replica < replicas; ++replica) f(decide, replica);
      return;
    }
  }
  if constexpr (!T::has_field_words) {
    for_each_group(replicas, [&]<int G>(std::uint32_t first) {
      if constexpr (T::has_couplings)
        if (m.shared) return f(SharedDecision<G, T::dimension>{m.thresholds}, first);
      f(IndependentDecision<G, T::dimension>(m.thresholds), first);
    });
  }
}

}  // namespace psflip::cuda
