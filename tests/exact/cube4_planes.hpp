#pragma once
#include <array>
#include <cstdint>
#include <vector>

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

}  // namespace psflip::exact
