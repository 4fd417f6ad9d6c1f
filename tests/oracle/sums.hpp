#pragma once
#include "engine/driver/engine.hpp"
#include "measure.hpp"

/// The contribution of one measurement to the sums of an exchange Monte Carlo: docs/files/tempering.md.
namespace psflip::oracle {

/// The values of a list, of one configuration; `fields` are +1 and -1, or 0 without a field.
std::vector<double> set_values(const std::vector<SetSum>& list, const Lattice& lattice, const Field& spins,
                               const Field& couplings, const Field& fields);
/// The values of a list, of the configurations of two replicas of a sample.
std::vector<double> pair_values(const std::vector<PairSum>& list, const Lattice& lattice, const Field& a,
                                const Field& b, const Field& couplings);

}  // namespace psflip::oracle
