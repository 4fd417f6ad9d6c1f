#include "square4.hpp"

#include <gtest/gtest.h>

#include "kaufman.hpp"

namespace psflip::exact {
namespace {

const Disorder ferromagnet = {std::vector<std::int8_t>(32, 1), std::vector<std::int8_t>(16, 0)};

struct Reference {
  std::uint64_t half_sweeps;
  double energy, m_2;
};

// An independent evolution of all 2^16 states from random spins at the critical point.
const Reference references[] = {{1, -0.6568542495, 0.1850559223},
                                {2, -0.9082326045, 0.3598410951},
                                {4, -1.3399797886, 0.6252824701},
                                {8, -1.5298293167, 0.7396349348}};

TEST(Square4, the_ferromagnet_relaxes_as_in_an_independent_program) {
  Square4 chain(ferromagnet, 1, 0, beta_c_square);
  chain.set_start(Start::random);
  std::uint64_t h = 0;
  for (const Reference& reference : references) {
    while (h < reference.half_sweeps) chain.half_sweep(h++);
    EXPECT_NEAR(-chain.means().B / 16, reference.energy, 1e-9) << h;
    EXPECT_NEAR(chain.means().M_2 / 256, reference.m_2, 1e-9) << h;
  }
}

TEST(Square4, the_ferromagnet_has_kaufmans_energy_in_equilibrium) {
  Square4 chain(ferromagnet, 1, 0, 0.4);
  chain.set_boltzmann();
  EXPECT_NEAR(-chain.means().B / 16, kaufman(4, 4, 0.4).energy, 1e-10);
}

/// Half sweeps keep the equilibrium distribution and lead to it, whatever the disorder.
TEST(Square4, a_sample_with_bonds_and_fields_relaxes_to_its_equilibrium) {
  Disorder disorder = ferromagnet;
  for (const std::size_t bond : {1, 4, 9, 16, 25, 31}) disorder.couplings[bond] = -1;
  for (std::size_t site = 0; site < 16; ++site) disorder.fields[site] = site % 3 == 0 ? -1 : 1;
  Square4 equilibrium(disorder, 1, 0.7, 0.3), run(disorder, 1, 0.7, 0.3);
  equilibrium.set_boltzmann();
  const StateMeans wanted = equilibrium.means();
  run.set_start(Start::ordered);
  for (std::uint64_t h = 0; h < 200; ++h) run.half_sweep(h);
  equilibrium.half_sweep(0);
  equilibrium.half_sweep(1);
  for (const StateMeans& found : {run.means(), equilibrium.means()}) {
    EXPECT_NEAR(found.B, wanted.B, 1e-9);
    EXPECT_NEAR(found.B_2, wanted.B_2, 1e-8);
    EXPECT_NEAR(found.F, wanted.F, 1e-9);
    EXPECT_NEAR(found.abs_M, wanted.abs_M, 1e-9);
    EXPECT_NEAR(found.M_2, wanted.M_2, 1e-8);
    EXPECT_NEAR(found.BF, wanted.BF, 1e-8);
    EXPECT_NEAR(found.F_2, wanted.F_2, 1e-8);
  }
  EXPECT_NEAR(run.overlap_means().Q_2, equilibrium.pair_means().Q_2, 1e-8);
  EXPECT_NEAR(run.overlap_means().Q_l, equilibrium.pair_means().Q_l, 1e-8);
}

/// d<O>/dh = beta (<O F> - <O><F>), from differences of neighbouring fields.
TEST(Square4, the_products_with_the_field_sum_are_derivatives_in_the_field) {
  Disorder disorder = ferromagnet;
  for (std::size_t site = 0; site < 16; ++site) disorder.fields[site] = site % 3 == 0 ? -1 : 1;
  const auto at = [&](double h) {
    Square4 states(disorder, 1, h, 0.3);
    states.set_boltzmann();
    return states.means();
  };
  const double step = 1e-4;
  const StateMeans low = at(0.7 - step), here = at(0.7), high = at(0.7 + step);
  EXPECT_NEAR((high.B - low.B) / (2 * step), 0.3 * (here.BF - here.B * here.F), 1e-5);
  EXPECT_NEAR((high.F - low.F) / (2 * step), 0.3 * (here.F_2 - here.F * here.F), 1e-5);
}

}  // namespace
}  // namespace psflip::exact
