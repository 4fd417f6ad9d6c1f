#include "sums.hpp"

#include <cmath>

namespace psflip::oracle {

std::vector<double> set_values(const Lattice& lattice, const Field& spins, const Field& couplings,
                               const Field& fields) {
  const double B = double(bond_sum(lattice, spins, couplings)), F = double(sum_of(product_of(spins, fields)));
  const double M = double(sum_of(spins)), K = double(k2(lattice, spins)), M2 = M * M, M4 = M2 * M2;
  return {B, F, B * B, B * F, F * F, M, std::abs(M), M2, M4, K, B * M2, B * M4, B * K, F * M2, F * M4, F * K};
}

std::vector<double> pair_values(const Lattice& lattice, const Field& a, const Field& b) {
  const double Q = double(sum_of(product_of(a, b))), Q2 = Q * Q;
  return {Q, Q2, Q2 * Q2, double(sum_of(a)) * double(sum_of(b)), double(k2_product(lattice, a, b))};
}

}  // namespace psflip::oracle
