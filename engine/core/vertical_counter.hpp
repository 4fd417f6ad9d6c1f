#pragma once
#include <cstddef>
#include <cstdint>
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
/// full adders turn eight words into one of weight 8, which ripples on; single words ripple from the bottom.
template <class W>
class CounterBank {
 public:
  static constexpr std::uint32_t block = 8;

  /// `counters` counters that hold up to 2^levels - 1 each.
  CounterBank(std::size_t counters, int levels)
      : levels_(levels < 4 ? 4 : levels),
        sum_(counters * levels_, W{}),
        waiting_(counters * levels_, W{}),
        occupied_(counters, 0) {}

  /// Adds 2^level in the lanes where `word` is set.
  void add(std::size_t counter, int level, W word) {
    W* sum = &sum_[counter * levels_];
    W* waiting = &waiting_[counter * levels_];
    std::uint32_t& occupied = occupied_[counter];
    while ((occupied >> level) & 1u) {  // two words and the sum of a level: a full adder sends the carry up
      const W carry = full_adder(sum[level], waiting[level], word);
      occupied ^= 1u << level;
      word = carry;
      if (++level == levels_) return;  // cannot carry: the count fits in `levels` bits
    }
    waiting[level] = word;
    occupied |= 1u << level;
  }

  /// Adds 1 for each of the eight words word(0) ... word(7) in the lanes where it is set.
  template <class Word>
  void add_block(std::size_t counter, Word word) {
    add(counter, 3, add_eight(&sum_[counter * levels_], word));
  }

  /// Adds 1 for each of word(0) ... word(count - 1).
  template <class Word>
  void add_many(std::size_t counter, std::uint32_t count, Word word) {
    std::uint32_t i = 0;
    for (; i + block <= count; i += block) add_block(counter, [&](std::uint32_t k) { return word(i + k); });
    for (; i < count; ++i) add(counter, 0, word(i));
  }

  /// Adds the value of `from`'s counter into `counter` of this bank, lane by lane.
  void add_counter(std::size_t counter, const CounterBank& from, std::size_t from_counter) {
    from.visit(from_counter, [&](int level, const W& word) { add(counter, level, word); });
  }

  /// Calls f(level, word) for words whose weighted sum, 2^level each, is the count.
  template <class F>
  void visit(std::size_t counter, F f) const {
    for (int level = 0; level < levels_; ++level) {
      f(level, sum_[counter * levels_ + level]);
      if ((occupied_[counter] >> level) & 1u) f(level, waiting_[counter * levels_ + level]);
    }
  }

  void clear(std::size_t counter) {
    for (int level = 0; level < levels_; ++level) sum_[counter * levels_ + level] = W{};
    occupied_[counter] = 0;
  }

 private:
  int levels_;
  std::vector<W> sum_, waiting_;
  std::vector<std::uint32_t> occupied_;
};

}  // namespace psflip
