#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/random/address.hpp"

/// The random number generators of Lulli, Bernaschi, Parisi (arXiv:1411.0127), for host and device. Each thread has a
/// state of its own. A generator copies what fits in registers from the state, returns numbers 0 ... most by
/// operator() and writes the registers back by store().
namespace psflip::laboratory {

/// The state of one thread among those of `stride` threads. Word i of all threads lies side by side in memory, so that
/// a warp reads it in one transaction (section III of the paper).
struct StridedState {
  std::uint32_t* first;
  std::size_t stride;

  PSFLIP_HD std::uint32_t& operator[](std::uint32_t word) const { return first[word * stride]; }
};

/// MINSTD of Lehmer, Park and Miller, R <- 16807 R mod (2^31 - 1), by Carta's method without division (Commun. ACM 33,
/// 87, 1990) and without branch. Numbers are 1 ... 2^31 - 2; a seed is one of them.
class Minstd {
 public:
  static constexpr const char* name = "minstd";
  static constexpr std::uint32_t words = 1, most = 0x7ffffffeu;

  PSFLIP_HD explicit Minstd(const StridedState& state) : state_(state), value_(state[0]) {}
  PSFLIP_HD std::uint32_t operator()() {
    const std::uint32_t high = 16807u * (value_ >> 16);
    const std::uint32_t sum = 16807u * (value_ & 0xffffu) + ((high & 0x7fffu) << 16) + (high >> 15);
    value_ = (sum & 0x7fffffffu) + (sum >> 31);
    return value_;
  }
  PSFLIP_HD void store() const { state_[0] = value_; }

 private:
  StridedState state_;
  std::uint32_t value_;
};

/// Lagged Fibonacci generator of Parisi and Rapuano (Phys. Lett. B 157, 301, 1985): x_i = x_{i-24} + x_{i-55}, the
/// number is x_i ^ x_{i-61}. The paper stores x_i; with STORES_XOR the number is stored instead, as on the poster of
/// the paper.
template <bool STORES_XOR>
class ParisiRapuanoOf {
 public:
  static constexpr const char* name = STORES_XOR ? "parisi_rapuano_poster" : "parisi_rapuano";
  static constexpr std::uint32_t lags = 62, words = lags + 1, most = 0xffffffffu;

  PSFLIP_HD explicit ParisiRapuanoOf(const StridedState& state) : state_(state), i_(state[lags]) {}
  PSFLIP_HD std::uint32_t operator()() {
    const std::uint32_t sum = state_[before(24)] + state_[before(55)], number = sum ^ state_[before(61)];
    state_[i_] = STORES_XOR ? number : sum;
    i_ = i_ + 1 == lags ? 0 : i_ + 1;
    return number;
  }
  PSFLIP_HD void store() const { state_[lags] = i_; }

 private:
  PSFLIP_HD std::uint32_t before(std::uint32_t lag) const { return i_ >= lag ? i_ - lag : i_ + lags - lag; }

  StridedState state_;
  std::uint32_t i_;  ///< index of the next x
};
using ParisiRapuano = ParisiRapuanoOf<false>;
using ParisiRapuanoPoster = ParisiRapuanoOf<true>;

/// MT19937 of Matsumoto and Nishimura (ACM TOMACS 8, 3, 1998), one number at a time: three words of the state are read
/// and one is written.
class MersenneTwister {
 public:
  static constexpr const char* name = "mt19937";
  static constexpr std::uint32_t n = 624, words = n + 1, most = 0xffffffffu;

  PSFLIP_HD explicit MersenneTwister(const StridedState& state) : state_(state), i_(state[n]) {}
  PSFLIP_HD std::uint32_t operator()() {
    const std::uint32_t next = i_ + 1 == n ? 0 : i_ + 1;
    const std::uint32_t y = (state_[i_] & 0x80000000u) | (state_[next] & 0x7fffffffu);
    std::uint32_t x = state_[i_ + 397 < n ? i_ + 397 : i_ + 397 - n] ^ (y >> 1) ^ ((0u - (y & 1u)) & 0x9908b0dfu);
    state_[i_] = x;
    i_ = next;
    x ^= x >> 11;
    x ^= (x << 7) & 0x9d2c5680u;
    x ^= (x << 15) & 0xefc60000u;
    return x ^ (x >> 18);
  }
  PSFLIP_HD void store() const { state_[n] = i_; }

 private:
  StridedState state_;
  std::uint32_t i_;  ///< index of the next number
};

/// XORWOW of Marsaglia (J. Stat. Softw. 8, 14, 2003) as in cuRAND: five words of a xorshift and a Weyl sequence.
class Xorwow {
 public:
  static constexpr const char* name = "xorwow";
  static constexpr std::uint32_t words = 6, most = 0xffffffffu;

  PSFLIP_HD explicit Xorwow(const StridedState& state) : state_(state) {
    for (std::uint32_t i = 0; i < words; ++i) x_[i] = state[i];
  }
  PSFLIP_HD std::uint32_t operator()() {
    const std::uint32_t t = x_[0] ^ (x_[0] >> 2);
    x_[0] = x_[1];
    x_[1] = x_[2];
    x_[2] = x_[3];
    x_[3] = x_[4];
    x_[4] = (x_[4] ^ (x_[4] << 4)) ^ (t ^ (t << 1));
    x_[5] += 362437u;
    return x_[4] + x_[5];
  }
  PSFLIP_HD void store() const {
    for (std::uint32_t i = 0; i < words; ++i) state_[i] = x_[i];
  }

 private:
  StridedState state_;
  std::uint32_t x_[words];
};

/// Philox4x32-10 at the address (thread, call) of a key: no state but the number of the call. One call gives four
/// numbers, which are returned one after the other.
class AddressedPhilox {
 public:
  static constexpr const char* name = "philox";
  static constexpr std::uint32_t words = 3, most = 0xffffffffu;

  /// State: seed, thread, number of the next call. Numbers of a call that are left are not used.
  PSFLIP_HD explicit AddressedPhilox(const StridedState& state)
      : state_(state), key_{state[0], 0}, thread_(state[1]), call_(state[2]) {}
  PSFLIP_HD std::uint32_t operator()() {
    if (left_ == 0) {
      four_ = numbers_at(key_, thread_, call_++, 0, 0, 0);
      left_ = 4;
    }
    const std::uint32_t number = four_.x[0];
    four_ = {{four_.x[1], four_.x[2], four_.x[3], 0}};
    --left_;
    return number;
  }
  PSFLIP_HD void store() const { state_[2] = call_; }

 private:
  StridedState state_;
  Key key_;
  std::uint32_t thread_, call_, left_ = 0;
  Four<std::uint32_t> four_{};
};

/// Calls f.template operator()<G>() for each generator, in the order of the tables.
template <class F>
void for_each_generator(F f) {
  f.template operator()<Minstd>();
  f.template operator()<ParisiRapuano>();
  f.template operator()<ParisiRapuanoPoster>();
  f.template operator()<MersenneTwister>();
  f.template operator()<Xorwow>();
  f.template operator()<AddressedPhilox>();
}

}  // namespace psflip::laboratory
