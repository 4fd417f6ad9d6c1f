#include "measure.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace psflip::oracle {
namespace {

__extension__ typedef __int128 Int128;

/// Fourier component in units of 2^-20, from the sums over the planes perpendicular to the axis.
struct Component {
  std::int64_t re = 0, im = 0;
};

Component component(const Lattice& lattice, const Field& field, int axis) {
  const int L = lattice.L();
  std::vector<std::int64_t> plane_sums(L, 0);
  for (std::size_t site = 0; site < lattice.sites(); ++site) plane_sums[lattice.coordinate(site, axis)] += field[site];
  Component k;
  for (int x = 0; x < L; ++x) {
    const double angle = 2 * std::numbers::pi * x / L;
    k.re += plane_sums[x] * std::llround(std::ldexp(std::cos(angle), 20));
    k.im += plane_sums[x] * std::llround(std::ldexp(std::sin(angle), 20));
  }
  return k;
}

}  // namespace

std::int64_t sum_of(const Field& field) {
  std::int64_t sum = 0;
  for (const std::int8_t value : field) sum += value;
  return sum;
}

Field product_of(const Field& a, const Field& b) {
  Field product(a.size());
  for (std::size_t site = 0; site < a.size(); ++site) product[site] = static_cast<std::int8_t>(a[site] * b[site]);
  return product;
}

std::int64_t bond_sum(const Lattice& lattice, const Field& spins, const Field& couplings) {
  std::int64_t sum = 0;
  for (int direction = 0; direction < lattice.dimension(); ++direction) {
    for (std::size_t site = 0; site < lattice.sites(); ++site) {
      sum += couplings[direction * lattice.sites() + site] * spins[site] * spins[lattice.forward(site, direction)];
    }
  }
  return sum;
}

std::int64_t k2(const Lattice& lattice, const Field& field) { return k2_product(lattice, field, field); }

std::int64_t k2_product(const Lattice& lattice, const Field& a, const Field& b) {
  Int128 sum = 0;
  for (int axis = 0; axis < lattice.dimension(); ++axis) {
    const Component ka = component(lattice, a, axis), kb = component(lattice, b, axis);
    sum += static_cast<Int128>(ka.re) * kb.re + static_cast<Int128>(ka.im) * kb.im;
  }
  sum >>= 30;
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max(), least = -largest - 1;
  return sum > largest ? largest : sum < least ? least : static_cast<std::int64_t>(sum);
}

}  // namespace psflip::oracle
