#pragma once
#ifdef __AVX512F__
#include <immintrin.h>

#include <cstdint>

#include "engine/core/philox.hpp"

/// The vocabulary of word64.hpp in AVX-512: every three-input step is one vpternlog, whose table is the last argument.
/// Its result replaces the first input, so this is one that is not needed any more, if possible.
namespace psflip::cpu {

struct Word512 {
  __m512i v;
  static constexpr int bits = 512, packs = 16;
  static constexpr const char* name = "AVX-512";

  static Word512 zero() { return {_mm512_setzero_si512()}; }
  static Word512 ones() { return {_mm512_set1_epi64(-1)}; }
  static Word512 splat32(std::uint32_t x) { return {_mm512_set1_epi32(static_cast<int>(x))}; }
  static Word512 splat64(std::uint64_t x) { return {_mm512_set1_epi64(static_cast<long long>(x))}; }
  static Word512 load(const void* p) { return {_mm512_loadu_si512(p)}; }
  void store(void* p) const { _mm512_storeu_si512(p, v); }
  bool any() const { return _mm512_test_epi64_mask(v, v) != 0; }
};

inline Word512 operator&(Word512 a, Word512 b) { return {_mm512_and_si512(a.v, b.v)}; }
inline Word512 operator|(Word512 a, Word512 b) { return {_mm512_or_si512(a.v, b.v)}; }
inline Word512 operator^(Word512 a, Word512 b) { return {_mm512_xor_si512(a.v, b.v)}; }
inline Word512 operator~(Word512 a) { return {_mm512_ternarylogic_epi64(a.v, a.v, a.v, 0x55)}; }
inline Word512 xor3(Word512 a, Word512 b, Word512 c) { return {_mm512_ternarylogic_epi64(a.v, b.v, c.v, 0x96)}; }
inline Word512 or3(Word512 a, Word512 b, Word512 c) { return {_mm512_ternarylogic_epi64(a.v, b.v, c.v, 0xfe)}; }
inline Word512 majority(Word512 a, Word512 b, Word512 c) { return {_mm512_ternarylogic_epi64(a.v, b.v, c.v, 0xe8)}; }
inline Word512 select(Word512 m, Word512 a, Word512 b) { return {_mm512_ternarylogic_epi64(b.v, m.v, a.v, 0xb8)}; }
inline Word512 less_step(Word512 u, Word512 t, Word512 less) {
  return {_mm512_ternarylogic_epi64(less.v, u.v, t.v, 0xb2)};
}
inline Word512 equal_step(Word512 e, Word512 u, Word512 t) { return {_mm512_ternarylogic_epi64(e.v, u.v, t.v, 0x90)}; }
inline Word512 flip_where(Word512 s, Word512 a, Word512 b) { return {_mm512_ternarylogic_epi64(s.v, a.v, b.v, 0x1e)}; }

inline void splat(std::uint32_t x, Word512& out) { out = Word512::splat64(x); }
inline Product<Word512> multiply_wide(Word512 a, std::uint32_t m) {
  const __m512i p = _mm512_mul_epu32(a.v, _mm512_set1_epi64(m));
  return {{p}, {_mm512_srli_epi64(p, 32)}};
}
inline Word512 odd_chunks(Word512 a) { return {_mm512_srli_epi64(a.v, 32)}; }
inline Word512 interleave(Word512 even, Word512 odd) {
  // one shuffle under a mask: the odd elements take the low half of `odd`
  return {_mm512_mask_shuffle_epi32(even.v, 0xAAAA, odd.v, _MM_PERM_CCAA)};
}
inline Word512 interleave_high(Word512 even, Word512 odd) {
  return {_mm512_mask_shuffle_epi32(odd.v, 0x5555, even.v, _MM_PERM_DDBB)};
}
inline Word512 less_than(Word512 u, Word512 t) { return {_mm512_movm_epi32(_mm512_cmplt_epu32_mask(u.v, t.v))}; }
inline Word512 chunk_sequence(Word512, std::uint32_t start) {
  const __m512i places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return {_mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(start)), places)};
}
inline std::uint32_t nonzero_chunks(Word512 a) { return _mm512_test_epi32_mask(a.v, a.v); }
inline Word512 compress(std::uint32_t mask, Word512 a) {
  return {_mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), a.v)};
}
inline Word512 chunks_at(Word512 a, Word512 index) { return {_mm512_permutexvar_epi32(index.v, a.v)}; }
inline Word512 from_right(Word512 here, Word512 following) {
  return {_mm512_or_si512(_mm512_srli_epi32(here.v, 1), _mm512_slli_epi32(following.v, 31))};
}
inline Word512 from_left(Word512 here, Word512 preceding) {
  return {_mm512_or_si512(_mm512_slli_epi32(here.v, 1), _mm512_srli_epi32(preceding.v, 31))};
}
inline int popcount(Word512 a) {
#ifdef __AVX512VPOPCNTDQ__
  return static_cast<int>(_mm512_reduce_add_epi64(_mm512_popcnt_epi64(a.v)));
#else
  alignas(64) std::uint64_t u[8];
  a.store(u);
  int n = 0;
  for (const std::uint64_t x : u) n += __builtin_popcountll(x);
  return n;
#endif
}
/// lanes[i] = sum of 2^k over the digits k in which bit i is set: eight digits at a time become bytes.
inline void spread_digits(const Word512* digits, int count, std::int32_t* lanes) {
  const __m512i one = _mm512_set1_epi8(1);
  for (int i = 0; i < 8; ++i, lanes += 64) {
    for (int first = 0; first < count; first += 8) {
      __m512i bytes = _mm512_setzero_si512();
      for (int k = (count < first + 8 ? count : first + 8) - 1; k >= first; --k) {
        __mmask64 mask;
        __builtin_memcpy(&mask, reinterpret_cast<const unsigned char*>(digits + k) + 8 * i, 8);
        const __m512i twice = _mm512_add_epi8(bytes, bytes);
        bytes = _mm512_mask_add_epi8(twice, mask, twice, one);
      }
      alignas(64) unsigned char byte[64];
      _mm512_store_si512(byte, bytes);
      for (int j = 0; j < 64; j += 16) {
        const __m128i sixteen = _mm_load_si128(reinterpret_cast<const __m128i*>(byte + j));
        const __m512i value = _mm512_sll_epi32(_mm512_cvtepu8_epi32(sixteen), _mm_cvtsi32_si128(first));
        const __m512i lower = first > 0 ? _mm512_loadu_si512(lanes + j) : _mm512_setzero_si512();
        _mm512_storeu_si512(lanes + j, _mm512_add_epi32(lower, value));
      }
    }
  }
}

}  // namespace psflip::cpu
#endif
