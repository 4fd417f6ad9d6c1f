#include "sums.hpp"

#include <cmath>

namespace psflip::oracle {

namespace {

template <class Which>
std::vector<double> chosen(const std::vector<Which>& list, const std::vector<double>& all) {
  std::vector<double> values;
  for (const Which which : list) values.push_back(all[which]);
  return values;
}

}  // namespace

std::vector<double> set_values(const std::vector<SetSum>& list, const Lattice& lattice, const Field& spins,
                               const Field& couplings, const Field& fields) {
  const double B = double(bond_sum(lattice, spins, couplings)), F = double(sum_of(product_of(spins, fields)));
  const double M = double(sum_of(spins)), K = double(k2(lattice, spins)), M2 = M * M, M4 = M2 * M2;
  return chosen(list,
                {B, F, B * B, B * F, F * F, M, std::abs(M), M2, M4, K, B * M2, B * M4, B * K, F * M2, F * M4, F * K});
}

std::vector<double> pair_values(const std::vector<PairSum>& list, const Lattice& lattice, const Field& a,
                                const Field& b, const Field& couplings) {
  const Field overlap = product_of(a, b);
  const double Q = double(sum_of(overlap)), Q2 = Q * Q, Q4 = Q2 * Q2, K = double(k2(lattice, overlap));
  const double link = double(bond_sum(lattice, overlap, Field(couplings.size(), 1)));
  const double B = double(bond_sum(lattice, a, couplings) + bond_sum(lattice, b, couplings));
  const double MM = double(sum_of(a)) * double(sum_of(b)), KK = double(k2_product(lattice, a, b));
  return chosen(list, {Q, Q2, Q4, MM, KK, std::abs(Q), K, link, B * Q2, B * Q4, B * K, B * link});
}

}  // namespace psflip::oracle
