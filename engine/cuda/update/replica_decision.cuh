#pragma once
#include <type_traits>

#include "engine/core/site_decision.hpp"
#include "engine/cuda/update/residual_queue.cuh"
#include "engine/cuda/update/threshold_planes.hpp"

/// The Metropolis decision for one replica of 32 samples without couplings, one random number each.
namespace psflip::cuda {

/// Thresholds of the classes of a scheme of core/site_decision.hpp.
template <class Scheme>
struct ClassThresholds {
  std::uint32_t of[1 << Scheme::bits] = {};

  explicit ClassThresholds(const FieldThresholds& t) {
    for (int k = 0; k < 1 << Scheme::bits; ++k) of[k] = Scheme::threshold(k, t);
  }
};

/// The decision of IndependentDecision and SiteFieldDecision with fewer instructions of the integer unit, which bounds
/// the kernels that keep spins in shared memory.
template <class T, class Scheme>
class ReplicaDecision {
  static constexpr int D = T::dimension;

 public:
  static constexpr int bits = Scheme::bits;  ///< of the number of a class
  static constexpr bool has_field_words = T::has_field_words;

  explicit ReplicaDecision(const FieldThresholds& t) : thresholds_(t), planes_(thresholds_.of) {
    for (int i = 0; i < Scheme::always_entries; ++i) always_[i] = Scheme::always(i, t) ? ~0u : 0u;
  }

  using Prepared = HalfSweepNumbers::Prepared<plane_count / 4>;
  __device__ __forceinline__ static Prepared prepare(const HalfSweep& s, std::uint32_t site) {
    return s.numbers.prepare<plane_count / 4>(site, {s.first_replica, s.first_replica}, {0, 1});
  }

  /// Lanes that are still undecided, and the bits of the classes of all lanes.
  struct Pending {
    std::uint32_t equal, bit[bits];
  };

  /// Flips the lanes of `spin` that the bit planes decide. `field` is not used without fields that have words.
  __device__ __forceinline__ Pending operator()(const HalfSweep& s, const Prepared& prepared, std::uint32_t& spin,
                                                const std::uint32_t (&neighbour)[2 * D], std::uint32_t field) const {
    const FieldClass<std::uint32_t, bits> c = classify(spin, neighbour, field);
    Four<std::uint32_t> u[plane_count / 4];
    s.numbers.draw(prepared, u);
    auto&& lanes = Planes::lanes(c.bit);
    std::uint32_t less = 0, equal = ~c.always;
#pragma unroll
    for (int j = plane_count - 1; j >= 0; --j) {
      const std::uint32_t t = planes_(j, lanes), number = u[j / 4].x[j % 4];
      less = less_step(number, t, less);
      equal = equal_step(equal, number, t);
    }
    spin ^= c.always | less;
    Pending pending;
    pending.equal = equal;
#pragma unroll
    for (int b = 0; b < bits; ++b) pending.bit[b] = c.bit[b];
    return pending;
  }

  /// Whether an undecided lane flips. `index`: of its class.
  __device__ __forceinline__ bool flips_lane(const HalfSweep& s, std::uint32_t site, std::uint32_t index,
                                             std::uint32_t lane) const {
    return number_of_replica(s, site, s.first_replica, residual_draw + lane) < (thresholds_.of[index] << plane_count);
  }

 private:
  __device__ __forceinline__ FieldClass<std::uint32_t, bits> classify(std::uint32_t spin,
                                                                      const std::uint32_t (&neighbour)[2 * D],
                                                                      std::uint32_t field) const {
    if constexpr (std::is_same_v<Scheme, NoField<2>>) {
      const UnlikeOfFour unlike(spin, neighbour);
      return {{unlike.odd}, unlike.two};
    } else if constexpr (std::is_same_v<Scheme, NoField<3>>) {
      const UnlikeOfSix unlike(spin, neighbour);
      return {{unlike.one, unlike.two}, unlike.three};
    } else {
      Site<T, std::uint32_t> site = {};
      site.spin = spin;
#pragma unroll
      for (int k = 0; k < 2 * D; ++k) site.neighbour[k] = neighbour[k];
      if constexpr (T::has_field_words) site.field = field;
      return Scheme::classify(site, always_);
    }
  }

  using Planes = ClassThresholdPlanes<Scheme>;
  ClassThresholds<Scheme> thresholds_;
  Planes planes_;
  std::uint32_t always_[Scheme::always_entries + 1] = {};  ///< all ones or zero
};

}  // namespace psflip::cuda
