#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/driver/packed_signs.hpp"

/// From words that hold one site of many samples to the canonical order of checkpoints, which has one sample after the
/// other, and back: transpositions of matrices of 32 x 32 bits.
namespace psflip::cpu {

/// Transposes P matrices at once: swaps bit b of m[k][p] with bit k of m[b][p]. Halves of ever smaller blocks
/// are exchanged across the diagonal (H. S. Warren, Hacker's Delight, section 7-3).
template <int P>
inline void transpose_bits(std::uint32_t (&m)[32][P]) {
  std::uint32_t mask = 0x0000ffff;
  for (int step = 16; step > 0; step >>= 1, mask ^= mask << step)
    for (int k = 0; k < 32; k = (k + step + 1) & ~step)
      for (int p = 0; p < P; ++p) {
        const std::uint32_t change = ((m[k][p] >> step) ^ m[k + step][p]) & mask;
        m[k][p] ^= change << step;
        m[k + step][p] ^= change;
      }
}

/// Where the words of a configuration are: sites of complete planes in canonical order, the two parities apart.
struct Checkerboard {
  std::size_t sites;
  std::uint32_t L;
  int dimension;
  std::uint32_t first_plane;         ///< 0 or 1: parity of the site at x = y = 0 of the first of these planes
  std::size_t per_parity, per_site;  ///< words between the parities, words from one compact index to the next
};

/// The lanes `begin` ... `end` - 1 of a word belong to rows that lie `stride` words apart, `first` being that of
/// `begin`.
template <class Bits>
struct LaneRows {
  Bits* first;
  std::size_t stride;
  int begin, end;

  Bits* of(int lane) const { return first + static_cast<std::size_t>(lane - begin) * stride; }
};

/// Sites that a thread processes at a time: it then writes one cache line to each of the rows.
inline constexpr std::size_t words_in_group = 16, sites_in_group = 32 * words_in_group;
inline std::size_t site_groups(const Checkerboard& board) {
  return (board.sites + sites_in_group - 1) / sites_in_group;
}

/// Calls f(i, index of site `first` + i) for the sites of a block of 32 that exist.
template <class F>
inline void for_each_place(const Checkerboard& board, std::size_t first, F f) {
  const std::size_t count = std::min<std::size_t>(32, board.sites - first);
  std::size_t x = first % board.L, row = first / board.L;
  const auto parity_of_row = [&] {
    return board.first_plane + (board.dimension == 3 ? row % board.L + row / board.L : row);
  };
  for (std::size_t i = 0, parity = parity_of_row(); i < count; ++i) {
    f(i, ((x + parity) & 1u) * board.per_parity + (first + i) / 2 * board.per_site);
    if (++x < board.L) continue;
    x = 0;
    ++row;
    parity = parity_of_row();
  }
}

/// Writes the sites of group number `group` into the rows of the lanes.
template <class W>
void words_to_rows(const W* words, const Checkerboard& board, std::size_t group, const LaneRows<std::uint32_t>& rows) {
  const std::size_t begin = group * words_in_group, blocks = std::min(words_in_group, (board.sites + 31) / 32 - begin);
  std::uint32_t lines[W::bits][words_in_group];
  for (std::size_t b = 0; b < blocks; ++b) {
    alignas(64) std::uint32_t m[32][W::packs] = {};
    for_each_place(board, 32 * (begin + b), [&](std::size_t i, std::size_t place) { words[place].store(m[i]); });
    transpose_bits(m);
    for (int i = 0; i < 32; ++i)
      for (int p = 0; p < W::packs; ++p) lines[32 * p + i][b] = m[i][p];
  }
  for (int lane = rows.begin; lane < rows.end; ++lane) std::copy_n(lines[lane], blocks, rows.of(lane) + begin);
}

/// The reverse; the other lanes become zero.
template <class W>
void rows_to_words(const LaneRows<const std::uint32_t>& rows, const Checkerboard& board, std::size_t group, W* words) {
  const std::size_t begin = group * words_in_group, blocks = std::min(words_in_group, (board.sites + 31) / 32 - begin);
  std::uint32_t lines[W::bits][words_in_group] = {};
  for (int lane = rows.begin; lane < rows.end; ++lane) std::copy_n(rows.of(lane) + begin, blocks, lines[lane]);
  for (std::size_t b = 0; b < blocks; ++b) {
    alignas(64) std::uint32_t m[32][W::packs];
    for (int i = 0; i < 32; ++i)
      for (int p = 0; p < W::packs; ++p) m[i][p] = lines[32 * p + i][b];
    transpose_bits(m);
    for_each_place(board, 32 * (begin + b), [&](std::size_t i, std::size_t place) { words[place] = W::load(m[i]); });
  }
}

}  // namespace psflip::cpu
