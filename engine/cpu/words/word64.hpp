#pragma once
#include <bit>
#include <cstdint>

#include "engine/core/philox.hpp"
#include "engine/core/word.hpp"

/// Vocabulary of the CPU backend for 64-bit words; the wider words speak the same.
///
/// A word is `packs` chunks of 32 lanes. Random numbers are made in 64-bit lanes that carry a 32-bit value in their low
/// half and rubbish above it, one lane for the even and one for the odd chunk of each pair.
namespace psflip::cpu {

struct Word64 {
  std::uint64_t v;
  static constexpr int bits = 64, packs = 2;
  static constexpr const char* name = "64-bit words";

  static Word64 zero() { return {0}; }
  static Word64 ones() { return {~std::uint64_t{0}}; }
  /// The same 32-bit value in every chunk.
  static Word64 splat32(std::uint32_t x) { return {(std::uint64_t{x} << 32) | x}; }
  /// The same value in every 64-bit lane.
  static Word64 splat64(std::uint64_t x) { return {x}; }
  static Word64 load(const void* p) {
    Word64 w;
    __builtin_memcpy(&w.v, p, sizeof w.v);
    return w;
  }
  void store(void* p) const { __builtin_memcpy(p, &v, sizeof v); }
  bool any() const { return v != 0; }
};

inline Word64 operator&(Word64 a, Word64 b) { return {a.v & b.v}; }
inline Word64 operator|(Word64 a, Word64 b) { return {a.v | b.v}; }
inline Word64 operator^(Word64 a, Word64 b) { return {a.v ^ b.v}; }
inline Word64 operator~(Word64 a) { return {~a.v}; }
inline Word64 xor3(Word64 a, Word64 b, Word64 c) { return a ^ b ^ c; }
inline Word64 or3(Word64 a, Word64 b, Word64 c) { return a | b | c; }
inline Word64 majority(Word64 a, Word64 b, Word64 c) { return {psflip::majority(a.v, b.v, c.v)}; }
inline Word64 select(Word64 m, Word64 a, Word64 b) { return {psflip::select(m.v, a.v, b.v)}; }
inline Word64 less_step(Word64 u, Word64 t, Word64 less) { return {psflip::less_step(u.v, t.v, less.v)}; }
inline Word64 equal_step(Word64 e, Word64 u, Word64 t) { return {psflip::equal_step(e.v, u.v, t.v)}; }
inline Word64 flip_where(Word64 s, Word64 a, Word64 b) { return s ^ (a | b); }

inline void splat(std::uint32_t x, Word64& out) { out = Word64::splat64(x); }
inline Product<Word64> multiply_wide(Word64 a, std::uint32_t m) {
  const std::uint64_t p = (a.v & 0xffffffffu) * m;
  return {{p}, {p >> 32}};
}
/// Moves the odd chunks to the low halves of their 64-bit lanes.
inline Word64 odd_chunks(Word64 a) { return {a.v >> 32}; }
/// Chunks 0, 2, ... from the low halves of `even`, chunks 1, 3, ... from the low halves of `odd`.
inline Word64 interleave(Word64 even, Word64 odd) { return {(even.v & 0xffffffffu) | (odd.v << 32)}; }
/// The same from the high halves.
inline Word64 interleave_high(Word64 even, Word64 odd) { return {(even.v >> 32) | (odd.v & 0xffffffff00000000u)}; }
/// All ones in the chunks where u < t as unsigned 32-bit numbers.
inline Word64 less_than(Word64 u, Word64 t) {
  const std::uint64_t low = static_cast<std::uint32_t>(u.v) < static_cast<std::uint32_t>(t.v) ? 0xffffffffu : 0;
  const std::uint64_t high = (u.v >> 32) < (t.v >> 32) ? 0xffffffffu : 0;
  return {low | (high << 32)};
}
/// Chunk i is start + i.
inline Word64 chunk_sequence(Word64, std::uint32_t start) { return {(std::uint64_t{start + 1} << 32) | start}; }
/// Bit i is set where chunk i is not zero.
inline std::uint32_t nonzero_chunks(Word64 a) {
  return static_cast<std::uint32_t>((a.v & 0xffffffffu) != 0) | (static_cast<std::uint32_t>(a.v >> 32 != 0) << 1);
}
/// The chunks named by the mask, moved together to the front.
inline Word64 compress(std::uint32_t mask, Word64 a) { return mask == 2 ? Word64{a.v >> 32} : a; }
/// Chunk i is the chunk of `a` whose number is chunk i of `index`, modulo the number of chunks.
inline Word64 chunks_at(Word64 a, Word64 index) {
  const auto chunk = [=](std::uint64_t i) { return (a.v >> (32 * (i & 1u))) & 0xffffffffu; };
  return {chunk(index.v) | (chunk(index.v >> 32) << 32)};
}
/// Chunks as 32 consecutive sites: the words of the sites one to the right (left) of each site, given the words of the
/// same sites and of the following (preceding) ones.
inline Word64 from_right(Word64 here, Word64 following) {
  return {((here.v >> 1) & 0x7fffffff7fffffffu) | ((following.v << 31) & 0x8000000080000000u)};
}
inline Word64 from_left(Word64 here, Word64 preceding) {
  return {((here.v << 1) & 0xfffffffefffffffeu) | ((preceding.v >> 31) & 0x0000000100000001u)};
}
inline int popcount(Word64 a) { return std::popcount(a.v); }
/// lanes[i] += weight where bit i is set.
inline void spread(Word64 a, std::int32_t weight, std::int32_t* lanes) {
  for (int i = 0; i < 64; ++i) lanes[i] += static_cast<std::int32_t>((a.v >> i) & 1u) * weight;
}

}  // namespace psflip::cpu
