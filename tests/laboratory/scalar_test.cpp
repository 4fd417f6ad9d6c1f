#include <gtest/gtest.h>

#include "engine/laboratory/reference/scalar.hpp"
#include "engine/random/acceptance_threshold.hpp"
#include "tests/oracle/numbers.hpp"
#include "tests/oracle/oracle.hpp"

// The plain scalar reference of the laboratory gives the spins of the oracle if it takes the same addressed numbers.
namespace psflip::laboratory {
namespace {

constexpr std::uint64_t half_sweeps = 6;

System system_of(Model model, int L) {
  System system;
  system.model = model;
  system.L = L;
  system.betas = {0.7};
  system.samples = 1;
  system.seed = 11;
  system.couplings = system.preset().has_random_bonds() ? Couplings::bimodal : Couplings::ferromagnet;
  system.round.half_sweeps = 1;
  return system;
}

template <int D>
void expect_equal(const System& system) {
  oracle::Oracle oracle(system);
  const oracle::Numbers numbers(system);
  ScalarLattice<D> lattice{system.L, oracle.spins(0), {}};
  const std::vector<std::int8_t> couplings = oracle.couplings();
  const std::size_t sites = lattice.spins.size();
  for (std::size_t site = 0; site < sites && !couplings.empty(); ++site) {
    lattice.couplings.emplace_back();
    for (std::size_t direction = 0; direction < D; ++direction)
      lattice.couplings.back()[direction] = couplings[direction * sites + site];
  }
  std::array<std::uint32_t, D> threshold{};
  for (std::size_t n = 0; n < D; ++n)
    threshold[n] = acceptance_threshold(system.betas[0] * 4 * (D - static_cast<int>(n)));
  for (std::uint64_t h = 0; h < half_sweeps; ++h) {
    lattice.half_sweep(static_cast<int>(h % 2), threshold, [&](std::size_t site) {
      return numbers.metropolis({0, 0, 0}, site, h);
    });
  }
  const std::vector<std::int8_t> start = oracle.spins(0);
  oracle.advance(half_sweeps);
  EXPECT_NE(start, oracle.spins(0));
  EXPECT_EQ(lattice.spins, oracle.spins(0));
}

TEST(ScalarReference, equals_the_oracle_with_random_bonds) {
  expect_equal<3>(system_of(Model::ea3d, 6));
  expect_equal<2>(system_of(Model::ea2d, 10));
}

TEST(ScalarReference, equals_the_oracle_without_disorder) {
  expect_equal<3>(system_of(Model::ising3d, 4));
  expect_equal<2>(system_of(Model::ising2d, 12));
}

}  // namespace
}  // namespace psflip::laboratory
