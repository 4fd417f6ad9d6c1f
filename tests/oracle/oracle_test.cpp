#include "oracle.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "measure.hpp"

namespace psflip::oracle {
namespace {

System spin_glass(std::uint64_t first, std::uint64_t count) {
  System system;
  system.model = Model::ea3d;
  system.L = 4;
  system.betas = {0.9};
  system.first_sample = first;
  system.samples = count;
  system.replicas = 3;
  system.seed = 11;
  system.random = Random::shared;
  system.couplings = Couplings::bimodal;
  system.round.half_sweeps = 1;
  return system;
}

System square(int L, double beta, Start start) {
  System system;
  system.model = Model::ising2d;
  system.L = L;
  system.betas = {beta};
  system.samples = 8;
  system.seed = 12;
  system.start = start;
  system.round.half_sweeps = 1;
  return system;
}

TEST(Oracle, a_plane_wave_has_the_fourier_component_of_the_closed_form) {
  const int L = 8;
  const Lattice lattice(L, 3);
  Field field(lattice.sites());
  for (std::size_t site = 0; site < lattice.sites(); ++site) field[site] = lattice.coordinate(site, 1) < L / 2 ? 1 : -1;
  // The sum over a half wave of +1 and one of -1 is 2 / sin(pi / L) in modulus, times L^2 sites a plane.
  const double modulus = 2 / std::sin(std::acos(-1.0) / L) * L * L;
  EXPECT_NEAR(static_cast<double>(k2(lattice, field)) / 1024, modulus * modulus, 0.2);
  EXPECT_EQ(k2(lattice, Field(lattice.sites(), 1)), 0);
}

TEST(Oracle, a_frozen_ferromagnet_keeps_its_ground_state) {
  Oracle oracle(square(6, 20.0, Start::ordered));
  oracle.advance(10);
  const Observation observation = oracle.observe();
  EXPECT_EQ(observation[Integer::bond_sum], std::vector<std::int64_t>(8, 72));
  EXPECT_EQ(observation[Integer::magnetization], std::vector<std::int64_t>(8, 36));
  EXPECT_EQ(observation[Integer::magnetization_k2], std::vector<std::int64_t>(8, 0));
}

TEST(Oracle, a_cold_ferromagnet_orders_from_a_random_start) {
  Oracle oracle(square(6, 0.8, Start::random));
  oracle.advance(600);
  const Observation observation = oracle.observe();
  for (const std::int64_t sum : observation[Integer::bond_sum]) EXPECT_GT(sum, 60);
}

TEST(Oracle, a_sample_does_not_depend_on_the_samples_beside_it) {
  Oracle all(spin_glass(29, 7)), part(spin_glass(31, 2));
  all.advance(9);
  part.advance(9);
  const std::size_t bytes = 3 * 64;
  const auto spins = all.spins();
  const auto first = spins.begin() + 2 * bytes;
  EXPECT_EQ(part.spins(), std::vector<std::int8_t>(first, first + 2 * bytes));
}

TEST(Oracle, samples_of_chosen_packs_are_those_of_consecutive_ones) {
  System chosen = spin_glass(0, 64), all = spin_glass(0, 96);
  chosen.packs = {0, 2};
  Oracle some(chosen), every(all);
  some.advance(5);
  every.advance(5);
  auto spins = every.spins();
  const std::size_t pack = 32 * 3 * 64;
  spins.erase(spins.begin() + pack, spins.begin() + 2 * pack);
  EXPECT_EQ(some.spins(), spins);
}

TEST(Oracle, restoring_a_configuration_continues_the_trajectory) {
  Oracle whole(spin_glass(0, 3)), begin(spin_glass(0, 3)), end(spin_glass(0, 3));
  whole.advance(9);
  begin.advance(4);
  end.restore_spins(0, begin.packed_spins(0));
  end.Engine::restore(begin.rounds());
  end.advance(5);
  EXPECT_EQ(whole.spins(), end.spins());
  EXPECT_EQ(whole.rounds(), end.rounds());
  EXPECT_NE(whole.spins(), begin.spins());
}

TEST(Oracle, a_round_of_sweeps_is_as_many_half_sweeps) {
  System rounds = spin_glass(0, 3);
  rounds.round.half_sweeps = 4;
  Oracle by_half_sweeps(spin_glass(0, 3)), by_rounds(rounds);
  by_half_sweeps.advance(12);
  by_rounds.advance(3);
  EXPECT_EQ(by_half_sweeps.spins(), by_rounds.spins());
}

}  // namespace
}  // namespace psflip::oracle
