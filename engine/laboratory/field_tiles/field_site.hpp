#pragma once
#include <cstdint>
#include <vector>

#include "engine/core/field_update.hpp"

/// The update of one site in a random field, on host and device, and the plain data of one realization.
namespace psflip::laboratory {

/// Sums of the energy E = -J B - h F of one configuration.
struct FieldSums {
  std::int64_t bonds = 0;   ///< B, sum of s s over bonds
  std::int64_t fields = 0;  ///< F, sum of h_i s_i, h_i = +1 or -1
  bool operator==(const FieldSums&) const = default;
};

/// One realization of the field, and the spins of one configuration: +1 or -1 by site x + L (y + L z).
struct FieldLattice {
  int L = 0;
  std::vector<std::int8_t> spins, fields;
};

FieldSums counted_sums(const FieldLattice& lattice);

/// Whether a spin flips whose six neighbours have this sum.
PSFLIP_HD bool flips(int spin, int sum, int field, const FieldThresholds& thresholds, std::uint32_t number) {
  const int against = spin * field < 0 ? 1 : 0, unsatisfied = (6 - spin * sum) / 2;
  return thresholds.always[against][unsatisfied] || number < thresholds.below[against][unsatisfied];
}

/// Random spins and fields with equal probability.
FieldLattice random_field_lattice(int L, std::uint32_t seed);

}  // namespace psflip::laboratory
