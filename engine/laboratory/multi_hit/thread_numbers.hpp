#pragma once
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "engine/laboratory/generators/seeding.hpp"
#include "engine/laboratory/multi_hit/recurrences.hpp"
#include "engine/laboratory/multi_hit/tiles.hpp"
#include "engine/random/address.hpp"

/// The generators of Weigel, J. Comput. Phys. 231, 3064 (2012), section 3.3, as threads of a GPU use them, MT19937 and
/// Philox. Each returns the next number of a thread or block, 0 ... 2^32 - 1.
namespace psflip::laboratory {

/// All threads draw from one sequence: thread t of n has x_t, x_{t + n}, x_{t + 2 n}, ... (eqs. 4 and 5, where the
/// paper's sum for the offset starts at a^0). The first number is the one after x_t.
template <class Word>
class SkippingLcg {
 public:
  SkippingLcg(std::size_t threads, Word seed) : state_(threads) {
    for (Word& x : state_) {
      x = seed;
      seed = Lcg<Word>::a * seed + Lcg<Word>::c;
      c_ = Lcg<Word>::a * c_ + Lcg<Word>::c;
      a_ *= Lcg<Word>::a;
    }
  }
  std::uint32_t operator()(const Visit& visit) {
    Word& x = state_[visit.thread];
    x = a_ * x + c_;
    return Lcg<Word>::number(x);
  }
  const std::vector<Word>& states() const { return state_; }
  Word a() const { return a_; }
  Word c() const { return c_; }

 private:
  std::vector<Word> state_;
  Word a_ = 1, c_ = 0;
};

/// Each thread has a sequence of its own from a random seed.
template <class Word>
class SeededLcg {
 public:
  SeededLcg(std::size_t threads, std::uint64_t seed) : state_(threads) {
    for (std::size_t thread = 0; thread < threads; ++thread)
      state_[thread] = static_cast<Word>(splitmix64((seed << 32) + thread));
  }
  std::uint32_t operator()(const Visit& visit) {
    Word& x = state_[visit.thread];
    x = Lcg<Word>::a * x + Lcg<Word>::c;
    return Lcg<Word>::number(x);
  }
  const std::vector<Word>& states() const { return state_; }
  static constexpr Word a() { return Lcg<Word>::a; }
  static constexpr Word c() { return Lcg<Word>::c; }

 private:
  std::vector<Word> state_;
};

/// One sequence for the threads of a block, which take its numbers in turn.
template <class Recurrence>
class NumbersOfBlock {
 public:
  std::uint32_t operator()(const Visit& visit) {
    std::uint32_t* x = state_.data() + visit.block * Recurrence::words;
    std::uint32_t& i = next_[visit.block];
    const std::uint32_t word = x[i] = Recurrence::next(x, i);
    i = i + 1 == Recurrence::words ? 0 : i + 1;
    return Recurrence::number(word);
  }
  /// Of all blocks, one after the other.
  const std::vector<std::uint32_t>& states() const { return state_; }

 protected:
  explicit NumbersOfBlock(std::size_t blocks) : state_(blocks * Recurrence::words), next_(blocks) {}

  std::vector<std::uint32_t> state_;
  std::vector<std::uint32_t> next_;  ///< index of the oldest word of a block
};

template <int R, int S>
class Fibonacci : public NumbersOfBlock<LaggedSum<R, S>> {
 public:
  Fibonacci(std::size_t blocks, std::uint32_t seed) : NumbersOfBlock<LaggedSum<R, S>>(blocks) {
    std::mt19937 numbers(seed);
    for (std::uint32_t& x : this->state_) x = static_cast<std::uint32_t>(numbers());
    for (std::size_t i = 0; i < this->state_.size(); i += R) this->state_[i] |= 1u;  // not all even: the full period
  }
};

class TwisterOfBlock : public NumbersOfBlock<TwisterRecurrence> {
 public:
  TwisterOfBlock(std::size_t blocks, std::uint32_t seed) : NumbersOfBlock(blocks) {
    constexpr std::size_t words = TwisterRecurrence::words;
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::uint64_t mixed = splitmix64((std::uint64_t{seed} << 32) + block);
      const std::vector<std::uint32_t> state = state_of<MersenneTwister>(static_cast<std::uint32_t>(mixed));
      std::copy_n(state.begin(), words, state_.begin() + static_cast<std::ptrdiff_t>(block * words));
    }
  }
};

/// Number n of a thread is word n mod 4 of Philox at (thread, n / 4): an address instead of a state.
class PhiloxOfThread {
 public:
  PhiloxOfThread(std::size_t threads, std::uint32_t seed) : key_{seed, 0}, state_(threads) {}
  static std::uint32_t number(const Key& key, std::size_t thread, std::uint32_t n) {
    return numbers_at(key, static_cast<std::uint32_t>(thread), n / 4, 0, 0, 0).x[n % 4];
  }
  std::uint32_t operator()(const Visit& visit) {
    State& state = state_[visit.thread];
    if (state.n % 4 == 0) state.four = numbers_at(key_, static_cast<std::uint32_t>(visit.thread), state.n / 4, 0, 0, 0);
    return state.four.x[state.n++ % 4];
  }
  const Key& key() const { return key_; }

 private:
  struct State {
    Four<std::uint32_t> four;
    std::uint32_t n = 0;
  };
  Key key_;
  std::vector<State> state_;
};

/// In the order of the paper's table 1.
inline const std::vector<std::string>& thread_generators() {
  static const std::vector<std::string> names = {"lcg32",        "lcg32_seeded",  "lcg64",   "lcg64_seeded",
                                                 "fibonacci521", "fibonacci1279", "mt19937", "philox"};
  return names;
}

/// Calls f(numbers) with the generator of a name, one of thread_generators().
template <class F>
void with_thread_generator(const std::string& name, std::size_t threads, std::size_t blocks, std::uint32_t seed, F f) {
  const auto call = [&](auto numbers) { f(numbers); };
  if (name == "lcg32") call(SkippingLcg<std::uint32_t>(threads, seed));
  if (name == "lcg32_seeded") call(SeededLcg<std::uint32_t>(threads, seed));
  if (name == "lcg64") call(SkippingLcg<std::uint64_t>(threads, seed));
  if (name == "lcg64_seeded") call(SeededLcg<std::uint64_t>(threads, seed));
  if (name == "fibonacci521") call(Fibonacci<521, 353>(blocks, seed));
  if (name == "fibonacci1279") call(Fibonacci<1279, 861>(blocks, seed));
  if (name == "mt19937") call(TwisterOfBlock(blocks, seed));
  if (name == "philox") call(PhiloxOfThread(threads, seed));
}

}  // namespace psflip::laboratory
