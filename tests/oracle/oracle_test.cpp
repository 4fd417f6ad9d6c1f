#include <gtest/gtest.h>

#include <cmath>

#include "measure.hpp"
#include "oracle.hpp"

namespace psflip::oracle {
namespace {

System spin_glass(std::uint64_t first, std::uint64_t count) {
  System system;
  system.model = Model::ea3d;
  system.L = 4;
  system.beta = 0.9;
  system.first_sample = first;
  system.samples = count;
  system.replicas = 3;
  system.seed = 11;
  system.random = Random::shared;
  system.couplings = Couplings::bimodal;
  return system;
}

System square(int L, double beta, Start start) {
  System system;
  system.model = Model::ising2d;
  system.L = L;
  system.beta = beta;
  system.samples = 8;
  system.seed = 12;
  system.start = start;
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
  EXPECT_EQ(observation.bond_sum, std::vector<std::int64_t>(8, 72));
  EXPECT_EQ(observation.magnetization, std::vector<std::int64_t>(8, 36));
  EXPECT_EQ(observation.magnetization_k2, std::vector<std::int64_t>(8, 0));
}

TEST(Oracle, a_cold_ferromagnet_orders_from_a_random_start) {
  Oracle oracle(square(6, 0.8, Start::random));
  oracle.advance(600);
  for (const std::int64_t sum : oracle.observe().bond_sum) EXPECT_GT(sum, 60);
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

TEST(Oracle, restoring_a_configuration_continues_the_trajectory) {
  Oracle whole(spin_glass(0, 3)), begin(spin_glass(0, 3)), end(spin_glass(0, 3));
  whole.advance(9);
  begin.advance(4);
  end.restore(begin.half_sweeps(), begin.packed_spins());
  end.advance(5);
  EXPECT_EQ(whole.spins(), end.spins());
  EXPECT_EQ(whole.half_sweeps(), end.half_sweeps());
  EXPECT_NE(whole.spins(), begin.spins());
}

TEST(Oracle, what_the_contract_does_not_define_is_refused) {
  System shared_ferromagnet = spin_glass(0, 1);
  shared_ferromagnet.couplings = Couplings::ferromagnet;
  EXPECT_THROW(Oracle{shared_ferromagnet}, std::invalid_argument);
  EXPECT_THROW(Oracle{square(5, 0.4, Start::random)}, std::invalid_argument);
  System narrow = square(32, 0.4, Start::random);
  narrow.packing = Packing::sites;
  EXPECT_THROW(Oracle{narrow}, std::invalid_argument);
}

}  // namespace
}  // namespace psflip::oracle
