#pragma once
#include <cstdint>

#include "engine/core/field_update.hpp"
#include "engine/cpu/numbers.hpp"
#include "engine/cpu/residual_queue.hpp"

/// How a site of a word of samples of the random-field model decides: a number of its own for every sample, eight
/// random planes now, the rest later for the few lanes they leave undecided.
namespace psflip::cpu {

/// What the planes are compared with at one temperature, as words of equal lanes.
template <class W, class Scheme>
struct FieldTables {
  static constexpr int entries = 1 << Scheme::bits;
  W plane[plane_count][entries];  ///< bit j of the threshold of each class
  W always[entries];
  std::uint32_t threshold[entries];

  explicit FieldTables(const FieldThresholds& t) {
    for (int k = 0; k < entries; ++k) {
      const int f = Scheme::f_of(k), n = Scheme::n_of(k);
      threshold[k] = t.below[f][n];
      always[k] = t.always[f][n] ? W::ones() : W::zero();
      for (int j = 0; j < plane_count; ++j) plane[j][k] = (threshold[k] >> (31 - j)) & 1u ? W::ones() : W::zero();
    }
  }
};

template <class W, class Scheme>
struct FieldDecision {
  PackNumbers<W> numbers;
  const FieldTables<W, Scheme>* tables;
  ResidualQueue<W, Scheme::bits>* queue;
  std::uint32_t set;

  /// The new spin of a site; `address` is its first chunk in the configuration.
  PSFLIP_INLINE W operator()(std::uint32_t site, W spin, const W (&neighbour)[6], W field, std::uint32_t address) {
    const FieldClass<W, Scheme::bits> c = Scheme::classify(spin, neighbour, field, tables->always);
    Four<W> u[plane_count / 4];
    numbers.template draw<2>({site, site}, {set, set}, {0, 1}, u);
    W less = W::zero(), equal = ~c.always;
#pragma GCC unroll 8
    for (int j = plane_count - 1; j >= 0; --j) {
      const W t = select_entry<Scheme::bits>(c.bit, tables->plane[j]);
      less = less_step(u[j / 4].x[j % 4], t, less);
      equal = equal_step(equal, u[j / 4].x[j % 4], t);
    }
    queue->push(equal, c.bit, address, site);
    return flip_where(spin, c.always, less);
  }
};

}  // namespace psflip::cpu
