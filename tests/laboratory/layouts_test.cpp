#include <gtest/gtest.h>

#include <set>

#include "engine/laboratory/generators/seeding.hpp"
#include "engine/laboratory/layouts/glass.hpp"
#include "tests/oracle/oracle.hpp"

// Every layout of the spin glass gives the bits of the oracle with psflip's addressed numbers.
namespace psflip::laboratory {
namespace {

constexpr double beta = 0.9;
constexpr std::uint32_t half_sweeps = 5;

template <class Layout>
std::vector<std::int8_t> spins_after(const System& system, std::uint32_t count) {
  Glass<Layout> glass(system);
  const Thresholds thresholds = glass_thresholds(beta, AddressedNumbers::most);
  for (std::uint32_t h = 0; h < count; ++h) {
    if (h % 2 == 0)
      glass.template half_sweep<0>(thresholds, metropolis_numbers(system, h));
    else
      glass.template half_sweep<1>(thresholds, metropolis_numbers(system, h));
  }
  return glass.spins();
}

class Layouts : public testing::TestWithParam<int> {};

TEST_P(Layouts, have_the_spins_of_the_oracle) {
  const System system = glass_system(GetParam(), beta, GetParam() <= 10 ? 2 : 1, 20240607);
  oracle::Oracle oracle(system);
  const std::vector<std::int8_t> start = oracle.spins();
  oracle.advance(half_sweeps);
  const std::vector<std::int8_t> end = oracle.spins();
  ASSERT_NE(start, end);
  const auto expect_equal = [&]<class Layout>() {
    if (!Layout::allows(static_cast<std::uint32_t>(GetParam()))) return;
    EXPECT_TRUE(spins_after<Layout>(system, 0) == start) << Layout::name;
    EXPECT_TRUE(spins_after<Layout>(system, half_sweeps) == end) << Layout::name;
  };
  for_each_layout(expect_equal);
}
INSTANTIATE_TEST_SUITE_P(L, Layouts, testing::Values(4, 6, 8, 10, 16, 32), testing::PrintToStringParamName());

TEST(Layouts, bitwise_allows_powers_of_two_only_and_the_others_any_even_L) {
  for (const std::uint32_t L : {4u, 6u, 8u, 10u, 12u, 16u, 24u, 32u, 256u}) {
    EXPECT_TRUE(Sliced::allows(L) && Standard::allows(L));
    EXPECT_EQ(Bitwise::allows(L), L == 4 || L == 8 || L == 16 || L == 32 || L == 256) << L;
  }
}

TEST(Layouts, sliced_keeps_one_neighbour_at_the_index_of_the_site) {
  const Sliced sliced(10);
  for (std::uint32_t index = 0; index < 500; ++index) {
    EXPECT_EQ(sliced.neighbours<0>(index).of[4], index);
    EXPECT_EQ(sliced.neighbours<1>(index).of[5], index);
  }
}

TEST(Layouts, a_neighbour_of_a_neighbour_is_the_site) {
  const auto expect_inverse = [&]<class Layout>() {
    const Layout layout(8);
    for (std::uint32_t index = 0; index < 256; ++index) {
      const Six six = layout.template neighbours<0>(index);
      EXPECT_EQ(std::set<std::uint32_t>(six.of, six.of + 6).size(), 6U) << Layout::name;
      for (int k = 0; k < 6; ++k) EXPECT_EQ(layout.template neighbours<1>(six.of[k]).of[k ^ 1], index) << Layout::name;
    }
  };
  for_each_layout(expect_inverse);
}

/// As the paper says, the layouts differ only in the order in which a generator with a state visits the sites.
TEST(Layouts, standard_and_bitwise_have_equal_bits_with_a_generator_that_has_a_state) {
  const System system = glass_system(8, beta, 2, 3);
  const auto spins = [&]<class Layout>() {
    Glass<Layout> glass(system);
    std::vector<std::uint32_t> state = state_of<ParisiRapuano>(5);
    ParisiRapuano generator(StridedState{state.data(), 1});
    const Thresholds thresholds = glass_thresholds(beta, ParisiRapuano::most);
    glass.template half_sweep<0>(thresholds, NextNumbers<ParisiRapuano>{generator});
    glass.template half_sweep<1>(thresholds, NextNumbers<ParisiRapuano>{generator});
    return glass.spins();
  };
  const auto standard = spins.operator()<Standard>();
  EXPECT_TRUE(standard == spins.operator()<Bitwise>());
  EXPECT_FALSE(standard == spins.operator()<Sliced>());
}

}  // namespace
}  // namespace psflip::laboratory
