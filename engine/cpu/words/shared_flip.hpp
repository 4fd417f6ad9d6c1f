#pragma once
#include "engine/core/update.hpp"
#include "engine/cpu/words/word512.hpp"

/// The new spin of a site whose lanes share one number in each chunk. `number` is compared with limit[n], the threshold
/// of n unsatisfied bonds; limit[0] < limit[1] < ... .
namespace psflip::cpu {

template <class W>
PSFLIP_INLINE W flip_below(W spin, const W (&neighbour)[6], const W (&coupling)[6], W number, const W (&limit)[3]) {
  W bond[6];
  for (int k = 0; k < 6; ++k) bond[k] = xor3(neighbour[k], coupling[k], spin);
  const W below0 = less_than(number, limit[0]), below1 = less_than(number, limit[1]),
          below2 = less_than(number, limit[2]);
  return flip_shared(spin, bond, xor3(below0, below1, below2), below1);
}

template <class W>
PSFLIP_INLINE W flip_below(W spin, const W (&neighbour)[4], const W (&coupling)[4], W number, const W (&limit)[2]) {
  W bond[4];
  for (int k = 0; k < 4; ++k) bond[k] = xor3(neighbour[k], coupling[k], spin);
  return flip_shared(spin, bond, less_than(number, limit[1]), less_than(number, limit[0]));
}

#ifdef __AVX512F__
/// With masks of chunks: 19 instructions instead of 22. A lane flips iff n >= 3, n >= 2 below limit[2], n >= 1 below
/// limit[1]; below limit[0] every lane flips. There the first bond, which is kept inverted, is masked to zero, that is
/// unsatisfied: then n >= 1, which is enough.
PSFLIP_INLINE Word512 flip_below(Word512 spin, const Word512 (&neighbour)[6], const Word512 (&coupling)[6],
                                 Word512 number, const Word512 (&limit)[3]) {
  const __mmask16 not_all = _mm512_cmpge_epu32_mask(number.v, limit[0].v);
  const __mmask16 from_one = _mm512_cmplt_epu32_mask(number.v, limit[1].v);
  const __mmask16 from_two = _mm512_cmplt_epu32_mask(number.v, limit[2].v);
  const __m512i satisfied = _mm512_maskz_ternarylogic_epi32(not_all, neighbour[0].v, coupling[0].v, spin.v, 0x69);
  const Word512 bond1 = xor3(neighbour[1], coupling[1], spin), bond2 = xor3(neighbour[2], coupling[2], spin);
  const Word512 bond3 = xor3(neighbour[3], coupling[3], spin), bond4 = xor3(neighbour[4], coupling[4], spin);
  const Word512 bond5 = xor3(neighbour[5], coupling[5], spin);
  const __m512i a0 = _mm512_ternarylogic_epi64(satisfied, bond1.v, bond2.v, 0x69);
  const __m512i a1 = _mm512_ternarylogic_epi64(satisfied, bond1.v, bond2.v, 0x8e);
  const __m512i b0 = xor3(bond3, bond4, bond5).v, b1 = majority(bond3, bond4, bond5).v;
  // n = a0 + b0 + 2 (a1 + b1): n >= 3 iff two of a1, b1, a0 | b0; n >= 2 iff a1 | b1 | (a0 & b0)
  const __m512i all_two = _mm512_movm_epi32(from_two);
  const __m512i one = _mm512_ternarylogic_epi64(all_two, a0, b0, 0xfe);
  __m512i flips = _mm512_ternarylogic_epi64(a1, b1, one, 0xe8);
  flips = _mm512_mask_ternarylogic_epi32(flips, from_two, a0, b0, 0xf8);
  flips = _mm512_mask_ternarylogic_epi32(flips, from_one, a0, b0, 0xfe);
  return {_mm512_xor_si512(spin.v, flips)};
}

/// The same in two dimensions: a lane flips iff n >= 2; n >= 1 is enough below limit[1], nothing is needed below
/// limit[0].
PSFLIP_INLINE Word512 flip_below(Word512 spin, const Word512 (&neighbour)[4], const Word512 (&coupling)[4],
                                 Word512 number, const Word512 (&limit)[2]) {
  const __mmask16 not_all = _mm512_cmpge_epu32_mask(number.v, limit[0].v);
  const __mmask16 from_one = _mm512_cmplt_epu32_mask(number.v, limit[1].v);
  const __m512i satisfied = _mm512_maskz_ternarylogic_epi32(not_all, neighbour[0].v, coupling[0].v, spin.v, 0x69);
  const Word512 bond1 = xor3(neighbour[1], coupling[1], spin), bond2 = xor3(neighbour[2], coupling[2], spin);
  const __m512i bond3 = xor3(neighbour[3], coupling[3], spin).v;
  const __m512i ones = _mm512_ternarylogic_epi64(satisfied, bond1.v, bond2.v, 0x69);
  const __m512i twos = _mm512_ternarylogic_epi64(satisfied, bond1.v, bond2.v, 0x8e);
  __m512i flips = _mm512_ternarylogic_epi64(twos, ones, bond3, 0xf8);
  flips = _mm512_mask_ternarylogic_epi32(flips, from_one, ones, bond3, 0xfe);
  return {_mm512_xor_si512(spin.v, flips)};
}
#endif

}  // namespace psflip::cpu
