#pragma once
#include <cstdint>
#include <vector>

#include "kaufman.hpp"

namespace psflip::exact {

/// Exact thermodynamics of one 4x4x4 periodic sample with couplings +1 and -1, by enumeration.
///
/// The lattice is bipartite: with the 32 even spins given, every odd spin is alone in its local field h_i, so that
///   Z = sum over the even spins of product over the odd sites of 2 cosh(beta h_i).
/// h_i is 0, 2, 4 or 6 in modulus, hence the product depends on three counts only. All 2^31 even configurations (the
/// first spin is +1 by symmetry) are counted by them, in integers; every temperature follows from the one histogram.
class Cube4 {
 public:
  /// `couplings` is [direction][site] with site = x + 4 (y + 4 z): the bond from the site to its neighbour in
  /// +direction.
  explicit Cube4(const std::vector<std::int8_t>& couplings);

  Thermal at(double beta) const;

 private:
  std::vector<std::uint64_t> histogram_;
};

}  // namespace psflip::exact
