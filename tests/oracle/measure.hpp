#pragma once
#include <cstdint>
#include <vector>

#include "lattice.hpp"

namespace psflip::oracle {

/// One value +1 or -1 a site.
using Field = std::vector<std::int8_t>;

std::int64_t sum_of(const Field& field);
Field product_of(const Field& a, const Field& b);
/// Sum over bonds of J s s; `couplings` is [direction][site].
std::int64_t bond_sum(const Lattice& lattice, const Field& spins, const Field& couplings);
/// 1024 times the squared modulus of the Fourier component at k = 2 pi / L, summed over the axes, rounded down:
/// docs/file-format.md, "The k2 quantities, to the bit".
std::int64_t k2(const Lattice& lattice, const Field& field);
/// The same for the product of the Fourier components of two fields, real part, rounded towards minus infinity.
std::int64_t k2_product(const Lattice& lattice, const Field& a, const Field& b);

}  // namespace psflip::oracle
