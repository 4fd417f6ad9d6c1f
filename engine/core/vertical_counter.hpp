#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/word.hpp"

namespace psflip {

/// Adds the bits of the eight words word(0) ... word(7) to counters of which sum[0 ... 2] are the lowest levels, with
/// seven full adders; the word that is returned has weight 8.
template <class W, class Word>
PSFLIP_HD W add_eight(W* sum, Word word) {
  W one_a = word(0), one_b = word(3);
  const W two_a = full_adder(one_a, word(1), word(2)), two_b = full_adder(one_b, word(4), word(5));
  const W two_c = full_adder(one_a, word(6), word(7)), two_d = full_adder(sum[0], one_a, one_b);
  W two = two_a;
  const W four_a = full_adder(two, two_b, two_c), four_b = full_adder(sum[1], two, two_d);
  return full_adder(sum[2], four_a, four_b);
}

/// Many counters of set bits, one per lane of a word: bit-sliced integers fed by carry-save adders (Harley-Seal). Seven
/// full adders turn eight words into one of weight 8, which ripples on. Words wait until there are eight of them.
template <class W>
class CounterBank {
 public:
  static constexpr std::uint32_t block = 8;

  /// `counters` counters that hold up to 2^levels - 1 each.
  CounterBank(std::size_t counters, int levels)
      : levels_(std::max(levels, block_level + 1)),
        sum_(counters * levels_, W{}),
        carried_(new W[counters * levels_]),
        waiting_(new W[counters * block]),
        occupied_(counters, 0),
        waiting_count_(counters, 0) {}

  std::size_t bytes() const {
    return sizeof(W) * (2 * sum_.size() + block * occupied_.size()) + 2 * sizeof(std::uint32_t) * occupied_.size();
  }

  /// Number of words of a counter as digits() gives it.
  int levels() const { return levels_; }

  /// Adds 1 for each of `count` words, `stride` words apart, in the lanes where it is set.
  void add(std::size_t counter, const W* words, std::size_t count, std::size_t stride = 1) {
    W* waiting = &waiting_[counter * block];
    std::uint32_t filled = waiting_count_[counter];
    const W* const end = words + count * stride;
    if (filled > 0) {
      for (; filled < block && words != end; words += stride) waiting[filled++] = *words;
      if (filled == block) {
        add_blocks(counter, waiting, 1, 1);
        filled = 0;
      }
    }
    const std::size_t blocks = static_cast<std::size_t>(end - words) / (block * stride);
    if (blocks > 0) add_blocks(counter, words, blocks, stride);
    words += blocks * block * stride;
    for (; words != end; words += stride) waiting[filled++] = *words;
    waiting_count_[counter] = filled;
  }

  /// Writes the count as a bit-sliced integer of levels() words, least significant first.
  void digits(std::size_t counter, W* out) {
    W* waiting = &waiting_[counter * block];
    std::fill(waiting + waiting_count_[counter], waiting + block, W{});
    if (waiting_count_[counter] > 0) add_blocks(counter, waiting, 1, 1);
    waiting_count_[counter] = 0;
    W carry{};
    for (int level = 0; level < levels_; ++level) {
      const std::size_t place = counter * levels_ + level;
      const bool two = (occupied_[counter] >> level) & 1u;
      out[level] = sum_[place];
      carry = full_adder(out[level], two ? carried_[place] : W{}, carry);
    }
  }

  void clear() {
    std::fill(sum_.begin(), sum_.end(), W{});
    std::fill(occupied_.begin(), occupied_.end(), 0);
    std::fill(waiting_count_.begin(), waiting_count_.end(), 0);
  }

 private:
  static constexpr int block_level = 3;  ///< 2^3 words in a block

  /// Blocks of words one after another. The lowest levels stay in registers: a load after each store would wait for it.
  void add_blocks(std::size_t counter, const W* words, std::size_t blocks, std::size_t stride) {
    W* sum = &sum_[counter * levels_];
    W low[block_level] = {sum[0], sum[1], sum[2]};
    for (const W* const end = words + blocks * block * stride; words != end; words += block * stride)
      carry_up(counter, add_eight(low, [=](std::size_t k) { return words[k * stride]; }));
    std::copy(low, low + block_level, sum);
  }

  /// Adds 8 in the lanes where `word` is set.
  void carry_up(std::size_t counter, W word) {
    const std::uint32_t occupied = occupied_[counter];
    const int levels = levels_, free = std::countr_one(occupied >> block_level) + block_level;
    W* sum = &sum_[counter * levels];
    W* carried = &carried_[counter * levels];
    // two words and the sum of a level: a full adder sends the carry up, the last of them to a free entry
    for (int level = block_level; level < free; ++level) word = full_adder(sum[level], carried[level], word);
    if (free < levels) carried[free] = word;  // else it is zero: the count fits in `levels` bits
    occupied_[counter] = (occupied + (1u << block_level)) & ((std::uint32_t{1} << levels) - 1);
  }

  int levels_;
  std::vector<W> sum_;
  std::unique_ptr<W[]> carried_;  ///< a second word of a level, where `occupied_` says so
  std::unique_ptr<W[]> waiting_;  ///< words that are not a block yet
  std::vector<std::uint32_t> occupied_, waiting_count_;
};

}  // namespace psflip
