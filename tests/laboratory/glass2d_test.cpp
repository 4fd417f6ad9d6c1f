#include <gtest/gtest.h>

#include <set>

#include "engine/cpu/cpu.hpp"
#include "engine/laboratory/generators/seeding.hpp"
#include "engine/laboratory/glass2d/square_glass.hpp"
#include "engine/laboratory/reference/scalar.hpp"
#include "tests/oracle/oracle.hpp"

// The 2D spin glass in bytes and words has the bits of the oracle with psflip's addressed numbers, and those of the
// plain scalar update with a generator that has a state.
namespace psflip::laboratory {
namespace {

constexpr double beta = 0.7;

template <class E>
std::vector<std::int8_t> spins_after(const System& system, std::uint32_t sweeps) {
  SquareGlass<E> glass(system);
  const Thresholds thresholds = square_glass_thresholds(beta, AddressedPhilox::most);
  for (std::uint32_t t = 0; t < sweeps; ++t)
    glass.sweep(thresholds, [&](int parity, std::size_t group) {
      return glass_numbers(system, 2 * t + static_cast<std::uint32_t>(parity), GlassStorage<E>::pack_of(group));
    });
  return glass.spins();
}

class Glass2d : public testing::TestWithParam<int> {};

TEST_P(Glass2d, in_bytes_and_words_has_the_spins_of_the_oracle) {
  const System system = square_glass_system(GetParam(), beta, 128, 1, 20240607);
  oracle::Oracle oracle(system);
  const std::vector<std::int8_t> start = oracle.spins();
  oracle.advance(3);
  const std::vector<std::int8_t> end = oracle.spins();
  ASSERT_NE(start, end);
  for_each_glass_storage([&]<class E>() {
    EXPECT_TRUE(spins_after<E>(system, 0) == start) << GlassStorage<E>::name;
    EXPECT_TRUE(spins_after<E>(system, 3) == end) << GlassStorage<E>::name;
  });
}

TEST_P(Glass2d, of_psflip_has_the_spins_of_the_oracle_at_every_width_and_number_of_replicas) {
  for (const int replicas : {1, 4}) {
    const System system = square_glass_system(GetParam(), beta, 128, replicas, 20240607);
    oracle::Oracle oracle(system);
    oracle.advance(3);
    for (const int bits : cpu::supported_word_bits()) {
      const auto engine = cpu::make_engine(system, 1, bits);
      engine->advance(3);
      EXPECT_TRUE(engine->spins() == oracle.spins()) << bits << " bits, " << replicas << " replicas";
    }
  }
}
INSTANTIATE_TEST_SUITE_P(L, Glass2d, testing::Values(4, 6, 10, 16), testing::PrintToStringParamName());

TEST(Glass2d, neighbours_are_four_sites_that_have_the_site_as_their_neighbour) {
  for (const std::uint32_t L : {4u, 6u, 16u}) {
    for (std::uint32_t y = 0; y < L; ++y) {
      for (std::uint32_t i = 0; i < L / 2; ++i) {
        const FourSites four = square_neighbours<0>(L, y, i);
        EXPECT_EQ(std::set<std::uint32_t>(four.of, four.of + 4).size(), 4U);
        for (std::uint32_t k = 0; k < 4; ++k) {
          const FourSites back = square_neighbours<1>(L, four.of[k] / (L / 2), four.of[k] % (L / 2));
          EXPECT_EQ(back.of[k ^ 1u], y * (L / 2) + i);
        }
      }
    }
  }
}

/// Sweeps of one realization by ScalarLattice, which takes the numbers of a stored sequence: one for each site in turn.
template <class G>
std::vector<std::int8_t> scalar_spins(const System& system, std::uint32_t realization, std::uint32_t sweeps) {
  const std::size_t sites = system.sites(), L = static_cast<std::size_t>(system.L);
  const oracle::Oracle oracle(system);
  const std::vector<std::int8_t> all = oracle.spins(), bonds = oracle.couplings();
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(realization * sites);
  ScalarLattice<2> lattice{system.L, {begin, begin + static_cast<std::ptrdiff_t>(sites)}, {}};
  for (std::size_t site = 0; site < sites; ++site)
    lattice.couplings.push_back({bonds[2 * realization * sites + site], bonds[(2 * realization + 1) * sites + site]});
  const Thresholds thresholds = square_glass_thresholds(beta, G::most);
  std::vector<std::uint32_t> state = state_of<G>(5);
  G generator(StridedState{state.data(), 1});
  for (std::uint32_t h = 0; h < 2 * sweeps; ++h) {
    std::vector<std::uint32_t> numbers(sites);
    for (std::size_t site = 0; site < sites; ++site)  // row after row
      if ((site + site / L) % 2 == h % 2) numbers[site] = generator();
    lattice.half_sweep(static_cast<int>(h % 2), {thresholds.by_unsatisfied[0], thresholds.by_unsatisfied[1]},
                       [&](std::size_t site) { return numbers[site]; });
  }
  return lattice.spins;
}

/// A group takes one number of the generator for all of its realizations.
template <class E, class G>
void expect_spins_of_the_scalar_update(std::uint32_t realization) {
  const System system = square_glass_system(8, beta, 64, 1, 3);
  SquareGlass<E> glass(system);
  const std::size_t group = realization / GlassStorage<E>::realizations;
  std::vector<std::uint32_t> state = state_of<G>(5);
  G generator(StridedState{state.data(), 1});
  const Thresholds thresholds = square_glass_thresholds(beta, G::most);
  for (int t = 0; t < 3; ++t) {
    glass_half_sweep<0>(glass.view(group), thresholds, GeneratorGlassNumbers<G>{generator});
    glass_half_sweep<1>(glass.view(group), thresholds, GeneratorGlassNumbers<G>{generator});
  }
  const std::vector<std::int8_t> all = glass.spins();
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(realization * 64);
  EXPECT_TRUE(std::vector<std::int8_t>(begin, begin + 64) == scalar_spins<G>(system, realization, 3))
      << GlassStorage<E>::name << " " << G::name;
}

TEST(Glass2d, with_a_generator_has_the_spins_of_the_plain_scalar_update) {
  for_each_glass_storage([&]<class E>() {
    for_each_glass_generator([&]<class G>() {
      expect_spins_of_the_scalar_update<E, G>(0);
      expect_spins_of_the_scalar_update<E, G>(45);
    });
  });
}

}  // namespace
}  // namespace psflip::laboratory
