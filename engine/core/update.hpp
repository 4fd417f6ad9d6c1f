#pragma once
#include <cstdint>

#include "engine/core/word.hpp"

/// The Metropolis decision for one site of many systems at once, one template over the word type.
///
/// A bond is unsatisfied where s ^ s' ^ J is set. With n of 2 D bonds unsatisfied a flip costs dE = 4 (D - n): always
/// accepted for n >= D, else when the 32-bit number u is below threshold[n] = floor(2^32 exp(-4 beta (D - n))).
namespace psflip {

/// threshold[n] for n = 0 ... D - 1 unsatisfied bonds, two bits of index; the other entries are never read.
struct Thresholds {
  std::uint32_t by_unsatisfied[4];
};

/// Bit j of a threshold, counted from the most significant one, for all lanes: all ones or zero.
PSFLIP_HD constexpr std::uint32_t threshold_mask(std::uint32_t threshold, int j) {
  return 0u - ((threshold >> (31 - j)) & 1u);
}

/// Number of unsatisfied bonds, bit-sliced: n = ones + 2 twos + 4 fours.
template <class W>
struct BondCount {
  W ones, twos, fours;
};

template <class W>
PSFLIP_HD BondCount<W> count_unsatisfied(const W (&bond)[6]) {
  const W a0 = xor3(bond[0], bond[1], bond[2]), a1 = majority(bond[0], bond[1], bond[2]);
  const W b0 = xor3(bond[3], bond[4], bond[5]), b1 = majority(bond[3], bond[4], bond[5]);
  const W carry = a0 & b0;
  return {a0 ^ b0, xor3(a1, b1, carry), majority(a1, b1, carry)};
}

template <class W>
PSFLIP_HD BondCount<W> count_unsatisfied(const W (&bond)[4]) {
  const W a0 = xor3(bond[0], bond[1], bond[2]), a1 = majority(bond[0], bond[1], bond[2]);
  const W carry = a0 & bond[3];
  return {a0 ^ bond[3], a1 ^ carry, a1 & carry};
}

/// Set where the flip costs nothing: n >= D.
template <class W>
PSFLIP_HD W always_accepted(const BondCount<W>& n, const W (&)[6]) {
  return n.fours | (n.twos & n.ones);
}
template <class W>
PSFLIP_HD W always_accepted(const BondCount<W>& n, const W (&)[4]) {
  return n.fours | n.twos;
}

/// Shared mode, D = 3: the new spin. All lanes that share a number share k = how many of the three thresholds it is
/// below, given as two words k = k_ones + 2 k_twos. The thresholds are nested, so a lane flips iff n + k >= 3.
template <class W>
PSFLIP_HD W flip_shared(W spin, const W (&bond)[6], W k_ones, W k_twos) {
  const W a0 = xor3(bond[0], bond[1], bond[2]), a1 = majority(bond[0], bond[1], bond[2]);
  const W b0 = xor3(bond[3], bond[4], bond[5]), b1 = majority(bond[3], bond[4], bond[5]);
  // n + k = (a0 + b0 + k_ones) + 2 (a1 + b1 + k_twos) >= 3 iff two of the twos are set, or
  // one of them and at least one of the ones, or no two and all three ones.
  const W two_twos = majority(a1, b1, k_twos), any_two = or3(a1, b1, k_twos);
  const W with_ones = majority(majority(a0, b0, any_two), any_two, k_ones);
  return flip_where(spin, two_twos, with_ones);
}

/// The same for D = 2. `any` is set where the number is below the larger threshold (k >= 1), `both` where it is below
/// both (k = 2). A lane flips iff n + k >= 2.
template <class W>
PSFLIP_HD W flip_shared(W spin, const W (&bond)[4], W any, W both) {
  W ones = bond[0];
  const W twos = full_adder(ones, bond[1], bond[2]);
  return flip_where(spin, twos | both, majority(ones, bond[3], any));  // `any` matters only without `both`
}

}  // namespace psflip
