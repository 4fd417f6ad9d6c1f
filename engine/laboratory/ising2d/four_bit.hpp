#pragma once
#include <cstdint>

#include "engine/laboratory/ising2d/acceptance.hpp"
#include "engine/laboratory/ising2d/checkerboard.hpp"
#include "engine/laboratory/ising2d/numbers.hpp"
#include "engine/laboratory/ising2d/slab.hpp"

/// Four bits a spin, 16 spins of one parity in a word: the optimized kernel of Romero et al., section 3.3. Spins +1 and
/// -1 are 1 and 0, so three additions give the sums of the neighbours of 16 spins.
namespace psflip::laboratory {

inline constexpr int spins_of_word = 16;

/// Two words of a row, which a GPU loads at once.
struct alignas(16) WordPair {
  std::uint64_t x[2];
};
inline constexpr int spins_of_pair = 2 * spins_of_word;

/// The four words of neighbours of a target word. `side` is the word next to `centre` in its row, in the direction of
/// the side column; one spin of it is shifted in.
struct NeighbourWords {
  std::uint64_t up, down, centre, side;
};

/// Sums of the four neighbours, 0 to 4, in each group of four bits. `offset` is row_offset() of the target.
PSFLIP_HD std::uint64_t neighbour_sums(const NeighbourWords& words, int offset) {
  const std::uint64_t shifted =
      offset == 1 ? words.centre >> 4 | words.side << 60 : words.centre << 4 | words.side >> 60;
  return words.up + words.down + words.centre + shifted;
}

/// The target word after the update of its 16 spins, which are columns 16 w ... 16 w + 15 of row y.
template <class Numbers>
PSFLIP_HD std::uint64_t updated_word(std::uint64_t target, std::uint64_t sums, const Numbers& numbers, int y, int w,
                                     std::uint64_t half_sweep, const SquareThresholds& thresholds) {
  std::uint64_t flips = 0;
  PSFLIP_UNROLL(4)
  for (int group = 0; group < spins_of_word; group += 4) {
    const Four<std::uint32_t> u = numbers.four(y, spins_of_word * w + group, half_sweep);
    PSFLIP_UNROLL(4)
    for (int i = 0; i < 4; ++i) {
      const int bit = 4 * (group + i);
      const int sum = static_cast<int>(sums >> bit & 7);
      const int unsatisfied = (target >> bit & 1) != 0 ? 4 - sum : sum;
      flips |= static_cast<std::uint64_t>(is_accepted(unsatisfied, u.x[i], thresholds)) << bit;
    }
  }
  return target ^ flips;
}

/// Updates the spins of one parity in columns 32 c ... 32 c + 31 of row y, of which `mine` are the pairs of words.
/// `other` are the rows of the other parity.
template <class Numbers>
PSFLIP_HD void update_pair(WordPair* mine, const ThreeRows<WordPair>& other, int parity, int y, int c, int L,
                           std::uint64_t half_sweep, const Numbers& numbers, const SquareThresholds& thresholds) {
  const int pairs = L / (2 * spins_of_pair), offset = row_offset(y, parity);
  const WordPair up = other.up[c], down = other.down[c], centre = other.centre[c];
  const int next = offset == 1 ? (c + 1 == pairs ? 0 : c + 1) : (c == 0 ? pairs - 1 : c - 1);
  const std::uint64_t beyond = other.centre[next].x[1 - offset];
  WordPair target = mine[c];
  PSFLIP_UNROLL(2)
  for (int i = 0; i < 2; ++i) {
    const std::uint64_t side = i == offset ? beyond : centre.x[1 - i];
    const std::uint64_t sums = neighbour_sums({up.x[i], down.x[i], centre.x[i], side}, offset);
    target.x[i] = updated_word(target.x[i], sums, numbers, y, 2 * c + i, half_sweep, thresholds);
  }
  mine[c] = target;
}

}  // namespace psflip::laboratory
