#include "engine/laboratory/reference/scalar.hpp"

#include <cmath>

#include "engine/laboratory/reference/timing.hpp"

namespace psflip::laboratory {

namespace {

template <int D>
double seconds_per_sweep(bool has_couplings, int L, double beta, double least) {
  std::minstd_rand0 generator(1);
  const auto sign = [&] { return static_cast<std::int8_t>((generator() >> 16) & 1u ? -1 : 1); };
  std::size_t sites = 1;
  for (int direction = 0; direction < D; ++direction) sites *= static_cast<std::size_t>(L);
  ScalarLattice<D> lattice{L, std::vector<std::int8_t>(sites), {}};
  for (std::int8_t& spin : lattice.spins) spin = sign();
  if (has_couplings) {
    lattice.couplings.resize(sites);
    for (auto& bonds : lattice.couplings)
      for (std::int8_t& bond : bonds) bond = sign();
  }
  std::array<std::uint32_t, D> threshold{};
  for (int n = 0; n < D; ++n)
    threshold[static_cast<std::size_t>(n)] =
        static_cast<std::uint32_t>(std::exp(-4 * beta * (D - n)) * std::minstd_rand0::max());
  return seconds_of(
      [&] {
        for (const int parity : {0, 1})
          lattice.half_sweep(parity, threshold, [&](std::size_t) { return static_cast<std::uint32_t>(generator()); });
      },
      least);
}

}  // namespace

double scalar_seconds_per_sweep(const Preset& preset, int L, double beta, double least) {
  return with_dimension(preset,
                        [&]<int D>() { return seconds_per_sweep<D>(preset.has_random_bonds(), L, beta, least); });
}

}  // namespace psflip::laboratory
