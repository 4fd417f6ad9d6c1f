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

/// The unsatisfied ones of six bonds, added three by three: n = a0 + b0 + 2 (a1 + b1).
template <class W>
struct BondSums {
  W a0, a1, b0, b1;
};

template <class W>
PSFLIP_HD BondSums<W> sum_unsatisfied(const W (&bond)[6]) {
  return {xor3(bond[0], bond[1], bond[2]), majority(bond[0], bond[1], bond[2]), xor3(bond[3], bond[4], bond[5]),
          majority(bond[3], bond[4], bond[5])};
}

template <class W>
PSFLIP_HD BondCount<W> count_unsatisfied(const W (&bond)[6]) {
  const BondSums<W> n = sum_unsatisfied(bond);
  const W carry = n.a0 & n.b0;
  return {n.a0 ^ n.b0, xor3(n.a1, n.b1, carry), majority(n.a1, n.b1, carry)};
}

template <class W>
PSFLIP_HD BondCount<W> count_unsatisfied(const W (&bond)[4]) {
  const W a0 = xor3(bond[0], bond[1], bond[2]), a1 = majority(bond[0], bond[1], bond[2]);
  const W carry = a0 & bond[3];
  return {a0 ^ bond[3], a1 ^ carry, a1 & carry};
}

/// Lanes with few unsatisfied bonds, n < D, where the random number decides, and lanes with more.
template <class W>
struct FewUnsatisfied {
  W some;    ///< n > 0; arbitrary in lanes of `two` and `always`
  W two;     ///< n = 2; arbitrary in lanes of `always`. Empty in two dimensions
  W always;  ///< n >= D: the flip costs nothing
};

template <class W>
PSFLIP_HD FewUnsatisfied<W> few_unsatisfied(const W (&bond)[6]) {
  const BondSums<W> n = sum_unsatisfied(bond);
  const W some = n.a0 | n.b0;
  return {some, or3(n.a1, n.b1, n.a0 & n.b0), majority(n.a1, n.b1, some)};
}

template <class W>
PSFLIP_HD FewUnsatisfied<W> few_unsatisfied(const W (&bond)[4]) {
  const W a0 = xor3(bond[0], bond[1], bond[2]), a1 = majority(bond[0], bond[1], bond[2]);
  return {a0 ^ bond[3], W{}, a1 | (a0 & bond[3])};
}

/// Shared mode, D = 3: the new spin. All lanes that share a number share k = how many of the three thresholds it is
/// below, given as two words k = k_ones + 2 k_twos. The thresholds are nested, so a lane flips iff n + k >= 3.
template <class W>
PSFLIP_HD W flip_shared(W spin, const W (&bond)[6], W k_ones, W k_twos) {
  const BondSums<W> n = sum_unsatisfied(bond);
  // n + k = (a0 + b0 + k_ones) + 2 (a1 + b1 + k_twos) >= 3 iff two of the twos are set, or
  // one of them and at least one of the ones, or no two and all three ones.
  const W two_twos = majority(n.a1, n.b1, k_twos), any_two = or3(n.a1, n.b1, k_twos);
  const W with_ones = majority(majority(n.a0, n.b0, any_two), any_two, k_ones);
  return flip_where(spin, two_twos, with_ones);
}

/// D = 3: whether at most one number in 512 is below the second largest threshold, exp(-8 beta), as at T < 1.28 J.
/// Kernels then decide by flip_shared_cold() and correct the few numbers below it.
constexpr bool is_cold(const Thresholds& t) { return t.by_unsatisfied[1] <= 1u << 23; }

/// flip_shared() of a number that is below at most one threshold, the largest: there `k` is set.
template <class W>
PSFLIP_HD W flip_shared_cold(W spin, const BondSums<W>& n, W k) {
  // n >= 3 iff two of a1, b1 and a0 | b0 are set; n >= 2 iff a1, b1 or a0 & b0 is set
  return flip_where(spin, majority(n.a1, n.b1, or3(n.a0, n.b0, k)), and3(n.a0, n.b0, k));
}

/// flip_shared() of a number that is below two thresholds, or three where `all` is set, from the result `spin` of
/// flip_shared_cold() with k set: lanes with n = 1, or also n = 0, flip too.
template <class W>
PSFLIP_HD W flip_shared_more(W spin, const BondSums<W>& n, W all) {
  return flip_unless(spin, one_or_none(n.a0, n.b0, all) & ~n.a1, n.b1);
}

/// flip_shared() for D = 2. `any` is set where the number is below the larger threshold (k >= 1), `both` where it is
/// below both (k = 2). A lane flips iff n + k >= 2.
template <class W>
PSFLIP_HD W flip_shared(W spin, const W (&bond)[4], W any, W both) {
  W ones = bond[0];
  const W twos = full_adder(ones, bond[1], bond[2]);
  return flip_where(spin, twos | both, majority(ones, bond[3], any));  // `any` matters only without `both`
}

}  // namespace psflip
