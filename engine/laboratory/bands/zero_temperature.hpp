#pragma once
#include <cstdint>
#include <vector>

#include "engine/core/philox.hpp"

namespace psflip::laboratory {

/// 64 square lattices of the ferromagnet at T = 0 in the bits of words, a set bit is spin -1. A spin takes the sign of
/// the sum of its neighbours, or a random sign if the sum is 0 (heat bath). Half sweep h updates parity h mod 2.
///
/// Site c of a parity, in order of x + L y, of lattices 64 w ... 64 w + 63 takes random bits of the Philox call at the
/// address (c / 2, h, w): words 0 and 1 for even c, 2 and 3 for odd c. Starts are random, h = parity.
class ZeroTemperature {
 public:
  static constexpr int lattices = 64;

  ZeroTemperature(int L, std::uint64_t word, std::uint32_t seed);

  void advance(std::uint64_t sweeps);
  /// Bit b is set if a spin of lattice b can still flip, at no cost or with a gain.
  std::uint64_t moving() const;
  /// Of one lattice, [y][x], +1 or -1.
  std::vector<std::int8_t> spins(int lattice) const;

 private:
  /// f(c, n): each site of a parity with the counts of its unsatisfied bonds.
  template <class F>
  void for_each_count(int parity, F f) const;
  void half_sweep(int parity);

  int L_;
  std::uint64_t word_;
  Key updates_;
  std::vector<std::uint64_t> spins_[2];  ///< [parity][site c]
  std::uint32_t half_sweep_ = 0;
};

}  // namespace psflip::laboratory
