#pragma once
#include "engine/driver/engine.hpp"
#include "measure.hpp"

/// The contribution of one measurement to the sums of an exchange Monte Carlo: docs/file-format.md.
namespace psflip::oracle {

/// Values in the order of SetSum of one configuration; `fields` are +1 and -1, or 0 without a field.
std::vector<double> set_values(const Lattice& lattice, const Field& spins, const Field& couplings, const Field& fields);
/// Values in the order of PairSum of the configurations of two replicas.
std::vector<double> pair_values(const Lattice& lattice, const Field& a, const Field& b);

}  // namespace psflip::oracle
