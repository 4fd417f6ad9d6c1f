#pragma once
#include <cstdint>

#include "engine/core/update.hpp"

/// The Metropolis decision of the random-field Ising model for one site of many samples at once.
///
/// A flip costs dE = 4 J (3 - n) + 2 h (1 - 2 f) with n of six bonds unsatisfied and f = 1 where the spin is against
/// its field: 14 classes. How many of them have dE > 0, and so how many bits of a class a decision has to look at,
/// depends on h / J only; a *scheme* says which.
namespace psflip {

/// below[f][n] = floor(2^32 exp(-beta dE)); always[f][n] where dE <= 0.
struct FieldThresholds {
  std::uint32_t below[2][7];
  bool always[2][7];
};

/// The bits of the class of a site, and where a flip costs nothing.
template <class W, int BITS>
struct FieldClass {
  W bit[BITS];
  W always;
};

/// The entry of `table` that the class bits select, lane by lane; bit[0] is the lowest bit of the index.
template <int BITS, class W>
PSFLIP_HD W select_entry(const W* bit, const W* table) {
  if constexpr (BITS == 0) {
    return table[0];
  } else {
    return select(bit[BITS - 1], select_entry<BITS - 1>(bit, table + (1 << (BITS - 1))),
                  select_entry<BITS - 1>(bit, table));
  }
}

/// h = J: dE = J (14 - 4 k) depends on k = n + f alone, and k >= 4 is always accepted.
struct EqualFieldScheme {
  static constexpr int bits = 2;
  static constexpr int f_of(int) { return 0; }
  static constexpr int n_of(int index) { return index; }

  template <class W>
  PSFLIP_HD static FieldClass<W, bits> classify(const W (&bond)[6], W against, const W*) {
    const W a0 = xor3(bond[0], bond[1], bond[2]), a1 = majority(bond[0], bond[1], bond[2]);
    const W b0 = xor3(bond[3], bond[4], bond[5]), b1 = majority(bond[3], bond[4], bond[5]);
    const W carry = majority(a0, b0, against);
    return {{xor3(a0, b0, against), xor3(a1, b1, carry)}, majority(a1, b1, carry)};
  }
};

/// h <= 2 J: n >= 4 is always accepted; below that the index is n + 4 f.
struct WeakFieldScheme {
  static constexpr int bits = 3;
  static constexpr int f_of(int index) { return index >> 2; }
  static constexpr int n_of(int index) { return index & 3; }

  /// `always` has an entry for each index.
  template <class W>
  PSFLIP_HD static FieldClass<W, bits> classify(const W (&bond)[6], W against, const W* always) {
    const BondCount<W> n = count_unsatisfied(bond);
    FieldClass<W, bits> c{{n.ones, n.twos, against}, {}};
    c.always = n.fours | select_entry<bits>(c.bit, always);
    return c;
  }
};

/// Any h and J: the index is n + 8 f.
struct AnyFieldScheme {
  static constexpr int bits = 4;
  static constexpr int f_of(int index) { return index >> 3; }
  static constexpr int n_of(int index) { return (index & 7) < 7 ? index & 7 : 6; }  // n = 7 does not occur

  template <class W>
  PSFLIP_HD static FieldClass<W, bits> classify(const W (&bond)[6], W against, const W* always) {
    const BondCount<W> n = count_unsatisfied(bond);
    FieldClass<W, bits> c{{n.ones, n.twos, n.fours, against}, {}};
    c.always = select_entry<bits>(c.bit, always);
    return c;
  }
};

/// True when these thresholds depend on n + f alone, as h = J should give them.
inline bool allows_equal_field(const FieldThresholds& t) {
  bool equal = t.always[0][4] && !t.always[0][3];
  for (int n = 0; n < 6; ++n)
    equal = equal && t.below[0][n + 1] == t.below[1][n] && t.always[0][n + 1] == t.always[1][n];
  return equal;
}

/// True when four unsatisfied bonds are always enough.
inline bool allows_weak_field(const FieldThresholds& t) { return t.always[0][4] && t.always[1][4]; }

/// Calls f.template operator()<Scheme>() with the cheapest scheme that the thresholds of all slots allow.
template <class Slots, class F>
void with_field_scheme(const Slots& slots, F f) {
  bool equal = true, weak = true;
  for (const FieldThresholds& t : slots) {
    equal = equal && allows_equal_field(t);
    weak = weak && allows_weak_field(t);
  }
  if (equal) return f.template operator()<EqualFieldScheme>();
  if (weak) return f.template operator()<WeakFieldScheme>();
  f.template operator()<AnyFieldScheme>();
}

}  // namespace psflip
