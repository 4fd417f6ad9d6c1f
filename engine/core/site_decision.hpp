#pragma once
#include <cstdint>

#include "engine/core/field_update.hpp"

/// The Metropolis decision for one site of many systems at once: any member of the Ising family, any word type.
namespace psflip {

/// Input of the update of one site. T are the traits of the model (Traits).
template <class T, class W>
struct Site {
  W spin;
  W neighbour[T::neighbours];                        ///< +x, -x, +y, -y, (+z, -z)
  W coupling[T::has_couplings ? T::neighbours : 1];  ///< of the bonds to these
  W field;                                           ///< a uniform field is +1, a clear bit

  /// The neighbour multiplied by the sign of the bond.
  PSFLIP_HD W seen(int k) const {
    if constexpr (T::has_couplings) {
      return neighbour[k] ^ coupling[k];
    } else {
      return neighbour[k];
    }
  }
  PSFLIP_HD W unsatisfied(int k) const {
    if constexpr (T::has_couplings) {
      return xor3(spin, coupling[k], neighbour[k]);
    } else {
      return spin ^ neighbour[k];
    }
  }
  /// Set where the spin is against its field.
  PSFLIP_HD W against() const {
    if constexpr (T::has_field_words) {
      return spin ^ field;
    } else {
      return spin;
    }
  }
  PSFLIP_HD W field_word() const {
    if constexpr (T::has_field_words) {
      return field;
    } else {
      return W{};
    }
  }
};

template <class T, class W>
PSFLIP_HD void bonds_of(const Site<T, W>& site, W (&bond)[T::neighbours]) {
  PSFLIP_UNROLL(6)
  for (int k = 0; k < T::neighbours; ++k) bond[k] = site.unsatisfied(k);
}

// A scheme names the classes with dE > 0 by few bits, the index of a table of thresholds. allows() says for which
// thresholds it is right, threshold() and always() fill the tables, classify() is the bit logic and entry() selects the
// entry of a table lane by lane. A table of always() has `always_entries` entries.

/// No field: the index is n < D.
template <int D>
struct NoField {
  static constexpr int bits = D - 1, always_entries = 0;
  static bool allows(const FieldThresholds& t) {
    bool same = t.always[0][D] && !t.always[0][D - 1];
    for (int n = 0; n <= 2 * D; ++n) same = same && t.below[0][n] == t.below[1][n] && t.always[0][n] == t.always[1][n];
    return same;
  }
  static std::uint32_t threshold(int i, const FieldThresholds& t) { return i < D ? t.below[0][i] : 0; }
  static bool always(int, const FieldThresholds&) { return false; }

  template <class T, class W>
  PSFLIP_HD static FieldClass<W, bits> classify(const Site<T, W>& site, const W*) {
    W bond[2 * D];
    bonds_of(site, bond);
    const FewUnsatisfied<W> n = few_unsatisfied(bond);
    const W two = n.two, one = n.some & ~two;  // copied from the struct to the array GCC 12 would store them in memory
    if constexpr (D == 3) {
      return {{one, two}, n.always};
    } else {
      return {{one}, n.always};
    }
  }
  /// n = 3 always flips, so its entry is never needed.
  template <class W>
  PSFLIP_HD static W entry(const W* bit, const W* table) {
    const W low = select(bit[0], table[1], table[0]);
    if constexpr (D == 3) {
      return select(bit[1], table[2], low);
    } else {
      return low;
    }
  }
};

/// h = J: dE depends on k = n + f alone. The index is k in three dimensions, k + 1 in two.
template <int D>
struct EqualField {
  static constexpr int bits = 2, always_entries = 0, offset = 3 - D;
  static bool allows(const FieldThresholds& t) { return allows_equal_field(t, D); }
  static std::uint32_t threshold(int i, const FieldThresholds& t) { return i < offset ? 0 : t.below[0][i - offset]; }
  static bool always(int, const FieldThresholds&) { return false; }

  template <class T, class W>
  PSFLIP_HD static FieldClass<W, bits> classify(const Site<T, W>& site, const W*) {
    W seen[2 * D];
    PSFLIP_UNROLL(6)
    for (int k = 0; k < 2 * D; ++k) seen[k] = site.seen(k);
    return equal_field_class(site.spin, seen, site.field_word());
  }
  template <class W>
  PSFLIP_HD static W entry(const W* bit, const W* table) {
    return select_entry<bits>(bit, table);
  }
};

/// Any field. The index is j, the number of neighbours that, times their bonds, are unlike the field: n = j for f = 0
/// and 2 D - j for f = 1, and dE(2 D - n, 1 - f) = -dE(n, f). So of the two values of f at most one costs energy, and j
/// selects its threshold. The flip is free for the other one, or for both where dE = 0 (h = 2 J, 4 J, ...). ZERO: h may
/// also be 0, where dE = 0 for j = D; else NoField is the scheme of h = 0.
template <int D, bool ZERO = false>
struct AnyField {
  static constexpr int bits = 3, always_entries = 16;  ///< j for f = 0, then j + 8 for both values of f
  static bool allows(const FieldThresholds&) { return true; }
  static bool costs(int j, int f, const FieldThresholds& t) {
    return j <= 2 * D && !t.always[f][f == 0 ? j : 2 * D - j];  // a larger j does not occur
  }
  static std::uint32_t threshold(int j, const FieldThresholds& t) {
    if (costs(j, 0, t)) return t.below[0][j];
    return costs(j, 1, t) ? t.below[1][2 * D - j] : 0;
  }
  static bool always(int i, const FieldThresholds& t) {
    const int j = i & 7;
    return j <= 2 * D && !costs(j, 0, t) && (i < 8 || !costs(j, 1, t));
  }

  template <class T, class W>
  PSFLIP_HD static FieldClass<W, bits> classify(const Site<T, W>& site, const W* always) {
    const W field = site.field_word();
    W unlike[2 * D];
    PSFLIP_UNROLL(6)
    for (int k = 0; k < 2 * D; ++k) unlike[k] = site.seen(k) ^ field;
    const BondCount<W> j = count_unsatisfied(unlike);
    const W ones = j.ones, twos = j.twos, fours = j.fours;
    FieldClass<W, bits> c{{ones, twos, fours}, {}};
    c.always = xor3(site.spin, field, upper_entry(c.bit, always)) | upper_entry(c.bit, always + 8);
    return c;
  }
  template <class W>
  PSFLIP_HD static W entry(const W* bit, const W* table) {
    const W low = select_entry<2>(bit, table);
    if constexpr (D == 3) {
      return select(bit[2], select(bit[1], table[6], select(bit[0], table[5], table[4])), low);
    } else {
      return select(bit[2], table[4], low);
    }
  }
  /// The entry of a table in which those of j < D, and of j = D unless h = 0, are zero: so few unlike neighbours cost
  /// energy with f = 0.
  template <class W>
  PSFLIP_HD static W upper_entry(const W* bit, const W* table) {
    if constexpr (D == 3) {
      const W high = select(bit[1], table[6], select(bit[0], table[5], table[4]));
      if constexpr (ZERO) return select(bit[2], high, bit[1] & bit[0] & table[3]);
      return bit[2] & high;
    } else {
      const W middle = ZERO ? select(bit[0], table[3], table[2]) : bit[0] & table[3];
      return select(bit[2], table[4], bit[1] & middle);
    }
  }
};

/// The cheapest scheme first.
enum class FieldScheme { no_field, equal_field, any_field };

/// The cheapest scheme that the thresholds of all slots allow.
template <int D, class Slots>
FieldScheme cheapest_scheme(const Slots& slots) {
  bool none = true, equal = true;
  for (const FieldThresholds& t : slots) {
    none = none && NoField<D>::allows(t);
    equal = equal && EqualField<D>::allows(t);
  }
  if (none) return FieldScheme::no_field;
  return equal ? FieldScheme::equal_field : FieldScheme::any_field;
}

/// Calls f.template operator()<Scheme>(). Models without field instantiate one scheme only.
template <class T, class F>
void with_scheme(FieldScheme scheme, F f) {
  if constexpr (T::has_field) {
    if (scheme == FieldScheme::equal_field) return f.template operator()<EqualField<T::dimension>>();
    if (scheme == FieldScheme::any_field) return f.template operator()<AnyField<T::dimension>>();
  }
  f.template operator()<NoField<T::dimension>>();
}

/// Threshold bits at one temperature that the planes are compared with, as words of equal lanes. PLANES leading bits of
/// the random numbers of all lanes are drawn at once, one word (plane) for each bit.
template <class W, class Scheme, int PLANES>
struct DecisionTables {
  static constexpr int entries = 1 << Scheme::bits;
  W plane[PLANES][entries];  ///< bit j of the threshold of each index
  W always[Scheme::always_entries + 1];
  std::uint32_t threshold[entries];

  explicit DecisionTables(const FieldThresholds& t) {
    for (int i = 0; i < Scheme::always_entries; ++i) always[i] = Scheme::always(i, t) ? ~W{} : W{};
    for (int i = 0; i < entries; ++i) {
      threshold[i] = Scheme::threshold(i, t);
      for (int j = 0; j < PLANES; ++j) plane[j][i] = (threshold[i] >> (31 - j)) & 1u ? ~W{} : W{};
    }
  }
};

/// Decision of the planes: a lane flips where the class costs nothing or `less` is set. Lanes of `equal` agree with
/// their threshold in all planes and need the rest of their number.
template <class W>
struct PlaneDecision {
  W less, equal;
};

/// Compares bit 31 - j of the numbers of all lanes, after the lower ones.
template <class W, class Scheme, int PLANES>
PSFLIP_HD void compare_plane(int j, W number, const FieldClass<W, Scheme::bits>& c,
                             const DecisionTables<W, Scheme, PLANES>& tables, PlaneDecision<W>& d) {
  const W t = Scheme::entry(c.bit, tables.plane[j]);
  d.less = less_step(number, t, d.less);
  d.equal = equal_step(d.equal, number, t);
}

/// plane[j] is the word of bits 31 - j of the numbers of all lanes.
template <class W, class Scheme, int PLANES>
PSFLIP_HD PlaneDecision<W> compare_planes(const FieldClass<W, Scheme::bits>& c,
                                          const DecisionTables<W, Scheme, PLANES>& tables, const W (&plane)[PLANES]) {
  PlaneDecision<W> d{W{}, ~c.always};
  PSFLIP_UNROLL(8)
  for (int j = PLANES - 1; j >= 0; --j) compare_plane(j, plane[j], c, tables, d);
  return d;
}

}  // namespace psflip
