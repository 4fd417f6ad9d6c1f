#pragma once
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "engine/models/model.hpp"

/// The plain scalar update: one byte a spin, one site after the other, one processor. Every table of the laboratory
/// states the speed-up over it.
namespace psflip::laboratory {

/// Ising spins on a periodic square or cubic lattice, with or without couplings. Sites are x + L (y + L z).
template <int D>
struct ScalarLattice {
  int L;
  std::vector<std::int8_t> spins;                     ///< [site], +1 or -1
  std::vector<std::array<std::int8_t, D>> couplings;  ///< [site][direction] of the bonds forward; empty: all +1

  /// Tries every site of one parity. A flip with n < D unsatisfied bonds is accepted if number(site) < threshold[n];
  /// it is accepted without a number for n >= D (Metropolis).
  template <class Number>
  void half_sweep(int parity, const std::array<std::uint32_t, D>& threshold, Number number) {
    const int depth = D == 3 ? L : 1;
    for (int z = 0; z < depth; ++z) {
      for (int y = 0; y < L; ++y) {
        for (int x = (y + z + parity) % 2; x < L; x += 2) {
          const std::size_t site = site_at(x, y, z);
          const int n = unsatisfied(x, y, z);
          if (n >= D || number(site) < threshold[static_cast<std::size_t>(n)])
            spins[site] = static_cast<std::int8_t>(-spins[site]);
        }
      }
    }
  }

 private:
  std::size_t site_at(int x, int y, int z) const {
    return static_cast<std::size_t>(x) +
           static_cast<std::size_t>(L) * (static_cast<std::size_t>(y) + static_cast<std::size_t>(L) * z);
  }
  int bond(std::size_t site, std::size_t other, std::size_t owner, int direction) const {
    const int product = spins[site] * spins[other];
    return couplings.empty() ? product : product * couplings[owner][static_cast<std::size_t>(direction)];
  }
  int unsatisfied(int x, int y, int z) const {
    const std::size_t site = site_at(x, y, z);
    int at[3] = {x, y, z}, n = 0;
    for (int direction = 0; direction < D; ++direction) {
      const int here = at[direction];
      at[direction] = here + 1 == L ? 0 : here + 1;
      n += bond(site, site_at(at[0], at[1], at[2]), site, direction) < 0;
      at[direction] = here == 0 ? L - 1 : here - 1;
      const std::size_t behind = site_at(at[0], at[1], at[2]);
      n += bond(site, behind, behind, direction) < 0;
      at[direction] = here;
    }
    return n;
  }
};

/// Seconds of a sweep of the scalar update with MINSTD (std::minstd_rand0), from random spins, of a member of the
/// family without field. The fastest of a few sweeps over at least `least` seconds.
double scalar_seconds_per_sweep(const Preset& preset, int L, double beta, double least);

}  // namespace psflip::laboratory
