#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/word.hpp"

namespace psflip {

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

  /// Number of words of a counter as digits() gives it.
  int levels() const { return levels_; }

  /// Adds 1 for each of word(0) ... word(count - 1), asked for once each, in the lanes where it is set.
  template <class Word>
  void add_many(std::size_t counter, std::uint32_t count, Word word) {
    W* waiting = &waiting_[counter * block];
    std::uint32_t filled = waiting_count_[counter], i = 0;
    if (filled > 0) {
      while (filled < block && i < count) waiting[filled++] = word(i++);
      if (filled == block) {
        add_block(counter, [&](std::uint32_t k) { return waiting[k]; });
        filled = 0;
      }
    }
    for (; i + block <= count; i += block) add_block(counter, [&](std::uint32_t k) { return word(i + k); });
    while (i < count) waiting[filled++] = word(i++);
    waiting_count_[counter] = filled;
  }

  /// Writes the count as a bit-sliced integer of levels() words, least significant first.
  void digits(std::size_t counter, W* out) {
    W* waiting = &waiting_[counter * block];
    std::fill(waiting + waiting_count_[counter], waiting + block, W{});
    if (waiting_count_[counter] > 0) add_block(counter, [&](std::uint32_t k) { return waiting[k]; });
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

  template <class Word>
  void add_block(std::size_t counter, Word word) {
    W* sum = &sum_[counter * levels_];
    W one_a = word(0), one_b = word(3);
    const W two_a = full_adder(one_a, word(1), word(2)), two_b = full_adder(one_b, word(4), word(5));
    const W two_c = full_adder(one_a, word(6), word(7)), two_d = full_adder(sum[0], one_a, one_b);
    W two = two_a;
    const W four_a = full_adder(two, two_b, two_c), four_b = full_adder(sum[1], two, two_d);
    carry_up(counter, full_adder(sum[2], four_a, four_b));
  }

  /// Adds 8 in the lanes where `word` is set.
  void carry_up(std::size_t counter, W word) {
    W* sum = &sum_[counter * levels_];
    W* carried = &carried_[counter * levels_];
    std::uint32_t& occupied = occupied_[counter];
    int level = block_level;
    while ((occupied >> level) & 1u) {  // two words and the sum of a level: a full adder sends the carry up
      word = full_adder(sum[level], carried[level], word);
      occupied ^= 1u << level;
      if (++level == levels_) return;  // cannot carry: the count fits in `levels` bits
    }
    carried[level] = word;
    occupied |= 1u << level;
  }

  /// Full adder: a becomes the sum, the carry is returned.
  static W full_adder(W& a, W b, W c) {
    const W carry = majority(a, b, c);
    a = xor3(a, b, c);
    return carry;
  }

  int levels_;
  std::vector<W> sum_;
  std::unique_ptr<W[]> carried_;  ///< a second word of a level, where `occupied_` says so
  std::unique_ptr<W[]> waiting_;  ///< words that are not a block yet
  std::vector<std::uint32_t> occupied_, waiting_count_;
};

}  // namespace psflip
