#pragma once
#include <cstdint>
#include <vector>

#include "kaufman.hpp"

namespace psflip::exact {

/// Exact thermodynamics of one 4x4x4 periodic sample in fields +h and -h with couplings +J and -J, J = h = 1, by
/// enumeration.
///
/// As in Cube4 the odd spins are summed by hand. The field is a seventh bond, so an odd spin is in a local field of 1,
/// 3, 5 or 7 in modulus; all 2^32 even configurations are counted by the numbers of these and by their own field sum.
class RandomFieldCube4 {
 public:
  /// Signs +1 and -1, `couplings` as of Cube4, `fields` [site].
  RandomFieldCube4(const std::vector<std::int8_t>& couplings, const std::vector<std::int8_t>& fields);

  Thermal at(double beta) const;

 private:
  std::vector<std::uint64_t> histogram_;
};

}  // namespace psflip::exact
