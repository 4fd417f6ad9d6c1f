#pragma once
#include <cstdint>
#include <vector>

#include "engine/core/philox.hpp"

namespace psflip::laboratory {

/// Square lattices of the ferromagnet at T = 0 in the bits of words, a set bit is spin -1, 64 in a word. A spin takes
/// the sign of the sum of its neighbours, or a random sign if the sum is 0 (heat bath). Half sweep h updates parity
/// h mod 2.
///
/// Site c of a parity, in order of x + L y, of lattices 64 w ... 64 w + 63 takes random bits of the Philox call at the
/// address (c / 2, h, w): words 0 and 1 for even c, 2 and 3 for odd c. Starts are random, h = parity.
class ZeroTemperature {
 public:
  static constexpr int lattices_of_word = 64, most_words = 8;

  /// A bit for each lattice, in words w.
  struct alignas(64) Bits {
    std::uint64_t of[most_words] = {};
    bool has(int lattice) const { return (of[lattice / lattices_of_word] >> lattice % lattices_of_word & 1) != 0; }
  };

  /// Words first_word ... first_word + words - 1; words is at most most_words.
  ZeroTemperature(int L, std::uint64_t first_word, int words, std::uint32_t seed);

  void advance(std::uint64_t sweeps);
  /// Set for lattices in which a spin can still flip, at no cost or with a gain.
  Bits moving() const;
  /// Of one lattice, counted from the first, [y][x], +1 or -1.
  std::vector<std::int8_t> spins(int lattice) const;

 private:
  /// f(c, free, gain): each site of a parity, where a flip costs nothing and where it gains energy.
  template <class F>
  void for_each_site_of(int parity, F f) const;
  void half_sweep(int parity);

  int L_;
  std::uint64_t first_word_;
  Key updates_;
  std::vector<Bits> spins_[2];  ///< [parity][site c]
  std::uint32_t half_sweep_ = 0;
};

}  // namespace psflip::laboratory
