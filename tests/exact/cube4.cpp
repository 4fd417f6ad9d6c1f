#include "cube4.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace psflip::exact {
namespace {

constexpr int L = 4, sites = 64, odd_sites = 32, even_sites = 32, inner_spins = 13;
constexpr std::size_t counts = odd_sites + 1;

/// For each of the 32 odd sites, bit by bit, how many of its satisfied-if-up bonds the spins considered so far make: 0
/// to 6.
struct Planes {
  std::uint32_t ones = 0, twos = 0, fours = 0;
};

Planes sum_of(const Planes& a, const Planes& b) {
  const std::uint32_t carry_1 = a.ones & b.ones;
  const std::uint32_t half = a.twos ^ b.twos;
  const std::uint32_t carry_2 = (a.twos & b.twos) | (half & carry_1);
  return {a.ones ^ b.ones, half ^ carry_1, a.fours ^ b.fours ^ carry_2};
}

int parity_of(int site) { return (site % L + site / L % L + site / (L * L)) % 2; }

int forward(int site, int direction) {
  const int step = direction == 0 ? 1 : direction == 1 ? L : L * L;
  return site / step % L == L - 1 ? site - (L - 1) * step : site + step;
}

/// What one even spin contributes to the planes when it is +1 and when it is -1.
struct Spin {
  std::array<Planes, 2> contribution;
};

/// Counts the bond (even, odd) with coupling J: it pulls the odd spin up when J times the even spin is +1.
void add_bond(Spin& even, int odd, int J) {
  Planes bond;
  bond.ones = std::uint32_t{1} << odd / 2;  // in a row of 4 the odd sites have distinct halves, so odd / 2 counts them
  Planes& up = even.contribution[J > 0 ? 0 : 1];
  up = sum_of(up, bond);
}

std::array<Spin, even_sites> spins_of(const std::vector<std::int8_t>& couplings) {
  std::array<Spin, even_sites> spins;
  for (int direction = 0; direction < 3; ++direction) {
    for (int site = 0; site < sites; ++site) {
      const int neighbour = forward(site, direction), J = couplings[direction * sites + site];
      const bool starts_even = parity_of(site) == 0;
      add_bond(spins[(starts_even ? site : neighbour) / 2], starts_even ? neighbour : site, J);
    }
  }
  return spins;
}

/// Contributions of the spins first ... first + count - 1 in all their 2^count configurations.
std::vector<Planes> configurations(const std::array<Spin, even_sites>& spins, int first, int count) {
  std::vector<Planes> all = {Planes{}};
  for (int spin = first; spin < first + count; ++spin) {
    std::vector<Planes> longer;
    for (const Planes& contribution : spins[spin].contribution) {
      for (const Planes& shorter : all) longer.push_back(sum_of(shorter, contribution));
    }
    all = std::move(longer);
  }
  return all;
}

/// Index of the histogram: how many odd sites have |h| = 2, 4, 6, that is 2 or 4, 1 or 5, 0 or 6 bonds that pull up.
std::size_t index_of(const Planes& sum) {
  const std::uint32_t middle = sum.twos ^ sum.fours;
  const int h2 = std::popcount(~sum.ones & middle), h4 = std::popcount(sum.ones & ~sum.twos);
  const int h6 = std::popcount(~sum.ones & ~middle);
  return (static_cast<std::size_t>(h6) * counts + static_cast<std::size_t>(h4)) * counts + static_cast<std::size_t>(h2);
}

}  // namespace

Cube4::Cube4(const std::vector<std::int8_t>& couplings) : histogram_(counts * counts * counts, 0) {
  const auto spins = spins_of(couplings);
  const std::vector<Planes> inner = configurations(spins, 1, inner_spins);
  const int rest = even_sites - 1 - inner_spins;
  for (const Planes& late : configurations(spins, 1 + inner_spins, rest)) {
    const Planes outer = sum_of(late, spins[0].contribution[0]);
    for (const Planes& early : inner) ++histogram_[index_of(sum_of(outer, early))];
  }
}

Thermal Cube4::at(double beta) const {
  long double z = 0, first = 0, second = 0;  // sums over configurations of w, d(ln w)/d beta w, ...
  const double shift = odd_sites * std::log(2 * std::cosh(6 * beta));
  for (std::size_t index = 0; index < histogram_.size(); ++index) {
    if (histogram_[index] == 0) continue;
    const std::array<double, 4> number = {0, double(index % counts), double(index / counts % counts),
                                          double(index / counts / counts)};
    double log_w = (odd_sites - number[1] - number[2] - number[3]) * std::log(2.0), slope = 0, curvature = 0;
    for (int k = 1; k <= 3; ++k) {
      const double h = 2 * k, t = std::tanh(beta * h);
      log_w += number[k] * std::log(2 * std::cosh(beta * h));
      slope += number[k] * h * t;
      curvature += number[k] * h * h * (1 - t * t);
    }
    const long double w = static_cast<long double>(histogram_[index]) * std::exp(log_w - shift);
    z += w;
    first += w * slope;
    second += w * (curvature + slope * slope);
  }
  const double d1 = static_cast<double>(first / z), d2 = static_cast<double>(second / z) - d1 * d1;
  return {static_cast<double>(std::log(2 * z)) + shift, -d1 / sites, beta * beta * d2 / sites};
}

}  // namespace psflip::exact
