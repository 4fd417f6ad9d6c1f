#pragma once
#ifdef __AVX2__
#include <immintrin.h>

#include <cstdint>

#include "engine/core/philox.hpp"

/// The vocabulary of word64.hpp in AVX2.
namespace psflip::cpu {

struct Word256 {
  __m256i v;
  static constexpr int bits = 256, packs = 8;
  static constexpr const char* name = "AVX2";

  static Word256 zero() { return {_mm256_setzero_si256()}; }
  static Word256 ones() { return {_mm256_set1_epi64x(-1)}; }
  static Word256 splat32(std::uint32_t x) { return {_mm256_set1_epi32(static_cast<int>(x))}; }
  static Word256 splat64(std::uint64_t x) { return {_mm256_set1_epi64x(static_cast<long long>(x))}; }
  static Word256 load(const void* p) { return {_mm256_loadu_si256(static_cast<const __m256i*>(p))}; }
  void store(void* p) const { _mm256_storeu_si256(static_cast<__m256i*>(p), v); }
  bool any() const { return !_mm256_testz_si256(v, v); }
};

inline Word256 operator&(Word256 a, Word256 b) { return {_mm256_and_si256(a.v, b.v)}; }
inline Word256 operator|(Word256 a, Word256 b) { return {_mm256_or_si256(a.v, b.v)}; }
inline Word256 operator^(Word256 a, Word256 b) { return {_mm256_xor_si256(a.v, b.v)}; }
inline Word256 operator~(Word256 a) { return {_mm256_xor_si256(a.v, _mm256_set1_epi64x(-1))}; }
inline Word256 and_not(Word256 a, Word256 b) { return {_mm256_andnot_si256(b.v, a.v)}; }  // a & ~b
inline Word256 xor3(Word256 a, Word256 b, Word256 c) { return a ^ b ^ c; }
inline Word256 or3(Word256 a, Word256 b, Word256 c) { return a | b | c; }
inline Word256 majority(Word256 a, Word256 b, Word256 c) { return (a & b) | (c & (a | b)); }
inline Word256 select(Word256 m, Word256 a, Word256 b) { return b ^ (m & (a ^ b)); }
inline Word256 less_step(Word256 u, Word256 t, Word256 less) {
  const Word256 differ = u ^ t;  // where they differ t decides, else the lower bits do
  return (differ & t) | and_not(less, differ);
}
inline Word256 equal_step(Word256 e, Word256 u, Word256 t) { return and_not(e, u ^ t); }
inline Word256 flip_where(Word256 s, Word256 a, Word256 b) { return s ^ (a | b); }

inline void splat(std::uint32_t x, Word256& out) { out = Word256::splat64(x); }
inline Product<Word256> multiply_wide(Word256 a, std::uint32_t m) {
  const __m256i p = _mm256_mul_epu32(a.v, _mm256_set1_epi64x(m));
  return {{p}, {_mm256_srli_epi64(p, 32)}};
}
inline Word256 odd_chunks(Word256 a) { return {_mm256_srli_epi64(a.v, 32)}; }
inline Word256 interleave(Word256 even, Word256 odd) {
  return {_mm256_blend_epi32(even.v, _mm256_slli_epi64(odd.v, 32), 0xAA)};
}
inline Word256 interleave_high(Word256 even, Word256 odd) {
  return {_mm256_blend_epi32(_mm256_srli_epi64(even.v, 32), odd.v, 0xAA)};
}
inline Word256 less_than(Word256 u, Word256 t) {
  const __m256i sign = _mm256_set1_epi32(INT32_MIN);  // AVX2 compares signed numbers only
  return {_mm256_cmpgt_epi32(_mm256_xor_si256(t.v, sign), _mm256_xor_si256(u.v, sign))};
}
inline Word256 chunk_sequence(Word256, std::uint32_t start) {
  return {_mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(start)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))};
}
inline std::uint32_t nonzero_chunks(Word256 a) {
  const __m256i zero = _mm256_cmpeq_epi32(a.v, _mm256_setzero_si256());
  return ~static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(zero))) & 0xffu;
}
inline Word256 compress(std::uint32_t mask, Word256 a) {
  alignas(32) std::uint32_t in[8], out[8] = {};
  a.store(in);
  int n = 0;
  for (; mask != 0; mask &= mask - 1) out[n++] = in[__builtin_ctz(mask)];
  return Word256::load(out);
}
inline Word256 chunks_at(Word256 a, Word256 index) { return {_mm256_permutevar8x32_epi32(a.v, index.v)}; }
inline Word256 from_right(Word256 here, Word256 following) {
  return {_mm256_or_si256(_mm256_srli_epi32(here.v, 1), _mm256_slli_epi32(following.v, 31))};
}
inline Word256 from_left(Word256 here, Word256 preceding) {
  return {_mm256_or_si256(_mm256_slli_epi32(here.v, 1), _mm256_srli_epi32(preceding.v, 31))};
}
inline int popcount(Word256 a) {
  alignas(32) std::uint64_t u[4];
  a.store(u);
  return __builtin_popcountll(u[0]) + __builtin_popcountll(u[1]) + __builtin_popcountll(u[2]) +
         __builtin_popcountll(u[3]);
}
inline void spread(Word256 a, std::int32_t weight, std::int32_t* lanes) {
  alignas(32) std::uint32_t chunk[8];
  a.store(chunk);
  const __m256i w = _mm256_set1_epi32(weight), one = _mm256_set1_epi32(1);
  const __m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  for (int i = 0; i < 32; ++i) {
    const __m256i shift = _mm256_add_epi32(place, _mm256_set1_epi32(8 * (i & 3)));
    const __m256i bit =
        _mm256_and_si256(_mm256_srlv_epi32(_mm256_set1_epi32(static_cast<int>(chunk[i >> 2])), shift), one);
    auto* p = reinterpret_cast<__m256i*>(lanes + 8 * i);
    _mm256_storeu_si256(p, _mm256_add_epi32(_mm256_loadu_si256(p), _mm256_mullo_epi32(bit, w)));
  }
}

}  // namespace psflip::cpu
#endif
