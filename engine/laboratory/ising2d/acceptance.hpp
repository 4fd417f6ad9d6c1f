#pragma once
#include <cmath>
#include <cstdint>

#include "engine/core/platform.hpp"

/// The Metropolis decision on the square lattice for a spin with n unsatisfied bonds of four; a flip costs 4 (2 - n).
namespace psflip::laboratory {

/// A flip is accepted if n >= 2 or u < below[n], u an integer of 32 bits.
struct SquareThresholds {
  std::uint32_t below[2];
};

PSFLIP_HD bool is_accepted(int unsatisfied, std::uint32_t u, const SquareThresholds& thresholds) {
  return unsatisfied >= 2 || u < thresholds.below[unsatisfied];
}

/// The comparison of Romero et al., figure 2: u < exp(-beta dE), u in (0, 1] in single precision.
struct SingleRule {
  float beta;
};

PSFLIP_HD bool is_accepted(int unsatisfied, float u, const SingleRule& rule) {
  return u < expf(-4 * rule.beta * static_cast<float>(2 - unsatisfied));
}

}  // namespace psflip::laboratory
