#pragma once
#include <cstdint>

#include "engine/core/update.hpp"

/// Energy classes of a site in a field, for many samples at once.
///
/// A flip costs dE = 4 J (D - n) + 2 h (1 - 2 f) with n of 2 D bonds unsatisfied and f = 1 where the spin is against
/// its field: 4 D + 2 classes. How many of them have dE > 0, and so how many bits of a class a decision has to look at,
/// depends on h / J only; a *scheme* says which.
namespace psflip {

/// below[f][n] = floor(2^32 exp(-beta dE)); always[f][n] where dE <= 0. In two dimensions n ends at 4.
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

/// h = J in three dimensions. Of the neighbours multiplied by their bonds, and the field, k = n + f are
/// unlike the spin: as many as are -1 if the spin is +1, else 7 less that, which is the complement of its three bits.
/// The bits of k; k >= 4 costs nothing.
template <class W>
PSFLIP_HD FieldClass<W, 2> equal_field_class(W spin, const W (&seen)[6], W field) {
  const W a0 = xor3(seen[0], seen[1], seen[2]), a1 = majority(seen[0], seen[1], seen[2]);
  const W b0 = xor3(seen[3], seen[4], seen[5]), b1 = majority(seen[3], seen[4], seen[5]);
  const W carry = majority(a0, b0, field);
  return {{xor3(a0, b0, field) ^ spin, xor3(a1, b1, carry) ^ spin}, majority(a1, b1, carry) ^ spin};
}

/// The same in two dimensions, the bits of k + 1: with a constant -1 added to the five words, m + 1 or 6 - m = 7 -
/// (m + 1) are unlike the spin, again the complement. k >= 3 costs nothing.
template <class W>
PSFLIP_HD FieldClass<W, 2> equal_field_class(W spin, const W (&seen)[4], W field) {
  const W a0 = xor3(seen[0], seen[1], seen[2]), a1 = majority(seen[0], seen[1], seen[2]);
  const W carry = majority(a0, ~seen[3], field);
  return {{xor3(a0, ~seen[3], field) ^ spin, xor3(a1, seen[3], carry) ^ spin}, majority(a1, seen[3], carry) ^ spin};
}

/// True when these thresholds depend on n + f alone, as h = J should give them.
inline bool allows_equal_field(const FieldThresholds& t, int dimension = 3) {
  bool equal = t.always[0][dimension + 1] && !t.always[0][dimension];
  for (int n = 0; n < 2 * dimension; ++n)
    equal = equal && t.below[0][n + 1] == t.below[1][n] && t.always[0][n + 1] == t.always[1][n];
  return equal;
}

}  // namespace psflip
