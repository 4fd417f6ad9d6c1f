#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/word.hpp"

namespace psflip {

/// Many counters of set bits, one per lane of a word: bit-sliced integers fed by carry-save adders (Harley-Seal). Every
/// second word of a level meets the waiting one there in a full adder, which sends its carry one level up, so
/// counting a word costs about one full adder whatever the height of the count.
template <class W>
class CounterBank {
 public:
  /// `counters` counters that hold up to 2^levels - 1 each.
  CounterBank(std::size_t counters, int levels)
      : levels_(levels), sum_(counters * levels, W{}), waiting_(counters * levels, W{}), occupied_(counters, 0) {}

  /// Adds 2^level in the lanes where `word` is set.
  void add(std::size_t counter, int level, W word) {
    W* sum = &sum_[counter * levels_];
    W* waiting = &waiting_[counter * levels_];
    std::uint32_t& occupied = occupied_[counter];
    while ((occupied >> level) & 1u) {
      const W carry = majority(sum[level], waiting[level], word);
      sum[level] = xor3(sum[level], waiting[level], word);
      occupied ^= 1u << level;
      word = carry;
      if (++level == levels_) return;  // cannot carry: the count fits in `levels` bits
    }
    waiting[level] = word;
    occupied |= 1u << level;
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
