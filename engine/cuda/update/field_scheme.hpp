#pragma once
#include <cstdint>

#include "engine/core/site_decision.hpp"

/// Energy classes of a site of a ferromagnet on a cubic lattice in a field. A scheme finds the class of a site with
/// classify() from few bits; threshold() is that of a class, for the `classes` with dE > 0. A class is cheap if spins
/// along the field flip at no cost, and free if all spins do.
namespace psflip::cuda {

/// h = 0: the class is n, the number of unsatisfied bonds, and n >= 3 is always accepted.
struct NoFieldScheme {
  static constexpr int bits = 2, classes = 3;
  static bool allows(const FieldThresholds& t) { return NoField<3>::allows(t); }
  static std::uint32_t threshold(int n, const FieldThresholds& t) { return n < classes ? t.below[0][n] : 0; }
  static bool is_cheap(int, const FieldThresholds&) { return false; }
  static bool is_free(int, const FieldThresholds&) { return false; }

  /// The sum of h = J in a field along every spin, where f = 0.
  template <class W>
  PSFLIP_HD static FieldClass<W, bits> classify(W spin, const W (&neighbour)[6], W, const W*, const W*) {
    FieldClass<W, bits> c = equal_field_class(spin, neighbour, spin);
    c.always = c.always | (c.bit[0] & c.bit[1]);
    return c;
  }
};

/// h = J: dE = J (14 - 4 k) depends on k = n + f alone, and k >= 4 is always accepted. The class is k.
struct EqualFieldScheme {
  static constexpr int bits = 2, classes = 4;
  static bool allows(const FieldThresholds& t) { return allows_equal_field(t); }
  static std::uint32_t threshold(int k, const FieldThresholds& t) { return t.below[0][k]; }
  static bool is_cheap(int, const FieldThresholds&) { return false; }
  static bool is_free(int, const FieldThresholds&) { return false; }

  template <class W>
  PSFLIP_HD static FieldClass<W, bits> classify(W spin, const W (&neighbour)[6], W field, const W*, const W*) {
    return equal_field_class(spin, neighbour, field);
  }
};

/// Any h > 0: AnyField of the ferromagnet, whose class is j, the number of neighbours unlike the field. TIES: some
/// class costs exactly nothing for both values of f, as at h = 2 J; without ties a flip is free for one of them.
template <bool TIES>
struct AnyFieldScheme {
  static constexpr int bits = 3, classes = 7;
  using Any = AnyField<3>;
  static std::uint32_t threshold(int j, const FieldThresholds& t) { return Any::threshold(j, t); }
  static bool is_cheap(int j, const FieldThresholds& t) { return !Any::costs(j, 0, t); }
  static bool is_free(int j, const FieldThresholds& t) { return !Any::costs(j, 0, t) && !Any::costs(j, 1, t); }

  /// `cheap` and `free` have an entry for each class.
  template <class W>
  PSFLIP_HD static FieldClass<W, bits> classify(W spin, const W (&neighbour)[6], W field, const W* cheap,
                                                const W* free) {
    W unlike[6];
    PSFLIP_UNROLL(6)
    for (int k = 0; k < 6; ++k) unlike[k] = field ^ neighbour[k];
    const BondCount<W> n = count_unsatisfied(unlike);
    FieldClass<W, bits> c{{n.ones, n.twos, n.fours}, {}};
    c.always = xor3(spin, field, Any::upper_entry(c.bit, cheap));  // against the field, unless that costs nothing
    if constexpr (TIES) c.always = c.always | Any::upper_entry(c.bit, free);
    return c;
  }
};
using UntiedFieldScheme = AnyFieldScheme<false>;
using TiedFieldScheme = AnyFieldScheme<true>;

/// True if a flip that costs nothing occurs at some slot.
template <class Slots>
bool has_ties(const Slots& slots) {
  for (const FieldThresholds& t : slots)
    for (int j = 0; j <= 6; ++j)
      if (TiedFieldScheme::is_free(j, t)) return true;
  return false;
}

/// Calls f.template operator()<Scheme>() with the cheapest scheme that the thresholds of all slots allow.
template <class Slots, class F>
void with_field_scheme(const Slots& slots, F f) {
  bool none = true, equal = true;
  for (const FieldThresholds& t : slots) {
    none = none && NoFieldScheme::allows(t);
    equal = equal && EqualFieldScheme::allows(t);
  }
  if (none) return f.template operator()<NoFieldScheme>();
  if (equal) return f.template operator()<EqualFieldScheme>();
  if (has_ties(slots)) return f.template operator()<TiedFieldScheme>();
  f.template operator()<UntiedFieldScheme>();
}

}  // namespace psflip::cuda
