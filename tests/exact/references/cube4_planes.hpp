#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kaufman.hpp"

/// The bipartite 4x4x4 lattice for enumerations over its even spins: how many bonds pull each odd spin up.
namespace psflip::exact {

inline constexpr int cube_L = 4, sites = 64, odd_sites = 32, even_sites = 32;

/// For each of the 32 odd sites, bit by bit, how many of its satisfied-if-up bonds the spins considered so far make: 0
/// to 6.
struct Planes {
  std::uint32_t ones = 0, twos = 0, fours = 0;
};

inline Planes sum_of(const Planes& a, const Planes& b) {
  const std::uint32_t carry_1 = a.ones & b.ones;
  const std::uint32_t half = a.twos ^ b.twos;
  const std::uint32_t carry_2 = (a.twos & b.twos) | (half & carry_1);
  return {a.ones ^ b.ones, half ^ carry_1, a.fours ^ b.fours ^ carry_2};
}

inline int parity_of(int site) { return (site % cube_L + site / cube_L % cube_L + site / (cube_L * cube_L)) % 2; }

inline int forward(int site, int direction) {
  const int step = direction == 0 ? 1 : direction == 1 ? cube_L : cube_L * cube_L;
  return site / step % cube_L == cube_L - 1 ? site - (cube_L - 1) * step : site + step;
}

/// What one even spin contributes to the planes when it is +1 and when it is -1.
struct Spin {
  std::array<Planes, 2> contribution;
};

/// Counts the bond (even, odd) with coupling J: it pulls the odd spin up when J times the even spin is +1.
inline void add_bond(Spin& even, int odd, int J) {
  Planes bond;
  bond.ones = std::uint32_t{1} << odd / 2;  // in a row of 4 the odd sites have distinct halves, so odd / 2 counts them
  Planes& up = even.contribution[J > 0 ? 0 : 1];
  up = sum_of(up, bond);
}

inline std::array<Spin, even_sites> spins_of(const std::vector<std::int8_t>& couplings) {
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
inline std::vector<Planes> configurations(const std::array<Spin, even_sites>& spins, int first, int count) {
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

/// Odd spins are summed by hand: Z = sum over configurations of the even spins of w.
class EvenSum {
 public:
  /// `shift` is near the largest ln w.
  EvenSum(double beta, double shift) : beta_(beta), shift_(shift) {}

  /// As many configurations: `number[k]` odd spins in a local field of `strength[k]` in modulus, and a field energy of
  /// the even spins of -`even_sum`.
  template <std::size_t K>
  void add(std::uint64_t configurations, const std::array<double, K>& number, const std::array<double, K>& strength,
           double even_sum) {
    double log_w = beta_ * even_sum, slope = even_sum, curvature = 0;
    for (std::size_t k = 0; k < K; ++k) {
      const double h = strength[k], t = std::tanh(beta_ * h);
      log_w += number[k] * std::log(2 * std::cosh(beta_ * h));
      slope += number[k] * h * t;
      curvature += number[k] * h * h * (1 - t * t);
    }
    const long double w = static_cast<long double>(configurations) * std::exp(log_w - shift_);
    z_ += w;
    first_ += w * slope;
    second_ += w * (curvature + slope * slope);
  }

  /// `copies` of the configurations, which symmetry spares.
  Thermal thermal(int copies) const {
    const double d1 = static_cast<double>(first_ / z_), d2 = static_cast<double>(second_ / z_) - d1 * d1;
    return {static_cast<double>(std::log(copies * z_)) + shift_, -d1 / sites, beta_ * beta_ * d2 / sites};
  }

 private:
  double beta_, shift_;
  long double z_ = 0, first_ = 0, second_ = 0;  ///< sums of w, d(ln w)/d beta w, d2 w/d beta2
};

}  // namespace psflip::exact
