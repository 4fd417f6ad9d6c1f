#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/// Spins, couplings and fields as one bit each: a set bit is -1. The format of engines, messages and checkpoints.
namespace psflip {

/// `n` <= 32 bits of `words` from bit `first` on, the lowest first; the bits above them are zero.
inline std::uint32_t bits_at(const std::uint32_t* words, std::size_t first, std::size_t n) {
  const std::size_t shift = first % 32;
  std::uint32_t bits = words[first / 32] >> shift;
  if (shift + n > 32) bits |= words[first / 32 + 1] << (32 - shift);
  return n == 32 ? bits : bits & ((1u << n) - 1);
}

/// Copies `count` bits to bit `to_bit` of `to`, whose other bits stay.
inline void copy_bits(const std::uint32_t* from, std::size_t from_bit, std::size_t count, std::uint32_t* to,
                      std::size_t to_bit) {
  while (count > 0) {
    const std::size_t shift = to_bit % 32, n = std::min(32 - shift, count);
    const std::uint32_t mask = (n == 32 ? ~0u : (1u << n) - 1) << shift;
    std::uint32_t& word = to[to_bit / 32];
    word = (word & ~mask) | bits_at(from, from_bit, n) << shift;
    from_bit += n;
    to_bit += n;
    count -= n;
  }
}

/// Rows of signs, for example the configurations of samples in canonical order. Every row begins with a word of its
/// own, so that threads fill rows without seeing each other; bits behind the end of a row are zero.
struct PackedSigns {
  std::size_t rows = 0, length = 0;  ///< signs in a row
  std::vector<std::uint32_t> words;  ///< [row][word]

  PackedSigns() = default;
  PackedSigns(std::size_t r, std::size_t l) : rows(r), length(l), words(r * ((l + 31) / 32), 0) {}

  std::size_t words_in_row() const { return (length + 31) / 32; }
  std::uint32_t* row(std::size_t r) { return words.data() + r * words_in_row(); }
  const std::uint32_t* row(std::size_t r) const { return words.data() + r * words_in_row(); }

  /// More rows of the same length.
  void append(const PackedSigns& more) {
    rows += more.rows;
    length = more.length;
    words.insert(words.end(), more.words.begin(), more.words.end());
  }
};

/// One byte each, +1 or -1: [row][sign].
inline std::vector<std::int8_t> unpack_signs(const PackedSigns& packed) {
  std::vector<std::int8_t> signs(packed.rows * packed.length);
  auto sign = signs.begin();
  for (std::size_t r = 0; r < packed.rows; ++r)
    for (std::size_t i = 0; i < packed.length; ++i)
      *sign++ = static_cast<std::int8_t>(1 - 2 * static_cast<int>((packed.row(r)[i / 32] >> (i % 32)) & 1u));
  return signs;
}

/// The reverse of unpack_signs().
inline PackedSigns pack_signs(const std::vector<std::int8_t>& signs, std::size_t length) {
  PackedSigns packed(signs.size() / length, length);
  auto sign = signs.begin();
  for (std::size_t r = 0; r < packed.rows; ++r)
    for (std::size_t i = 0; i < length; ++i)
      packed.row(r)[i / 32] |= static_cast<std::uint32_t>(*sign++ < 0) << (i % 32);
  return packed;
}

/// Rows one after the other without gaps between them: sign number i is bit i mod 32 of word i / 32.
inline std::vector<std::uint32_t> without_gaps(PackedSigns packed) {
  if (packed.length % 32 == 0) return std::move(packed.words);
  std::vector<std::uint32_t> words((packed.rows * packed.length + 31) / 32, 0);
  for (std::size_t r = 0; r < packed.rows; ++r)
    copy_bits(packed.row(r), 0, packed.length, words.data(), r * packed.length);
  return words;
}

/// The reverse: rows of signs of which the first is bit 0 of `words`.
inline PackedSigns rows_of(const std::uint32_t* words, std::size_t rows, std::size_t length) {
  PackedSigns packed(rows, length);
  if (length % 32 == 0)
    std::copy_n(words, packed.words.size(), packed.words.begin());
  else
    for (std::size_t r = 0; r < rows; ++r) copy_bits(words, r * length, length, packed.row(r), 0);
  return packed;
}

}  // namespace psflip
