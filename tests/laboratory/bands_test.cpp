#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "engine/laboratory/bands/quench.hpp"
#include "engine/laboratory/bands/winding.hpp"
#include "engine/laboratory/bands/zero_temperature.hpp"
#include "engine/models/model.hpp"
#include "engine/random/address.hpp"

// Band states of the 2D ferromagnet after a quench: their recognition, the update at T = 0, and the fractions of the
// states next to the crossing probabilities of percolation on a torus.
namespace psflip::laboratory {
namespace {

constexpr int L = 16;

std::vector<std::int8_t> lattice(const std::function<bool(int, int)>& is_down, int size = L) {
  std::vector<std::int8_t> spins;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) spins.push_back(is_down(x, y) ? -1 : 1);
  return spins;
}

TEST(BandStates, a_lattice_without_winding_domain_walls_is_a_ground_state) {
  EXPECT_EQ(band_state(lattice([](int, int) { return false; }), L), BandState::ground);
  EXPECT_EQ(band_state(lattice([](int, int) { return true; }), L), BandState::ground);
  const auto island = [](int x, int y) { return x > 2 && x < 9 && y > 4 && y < 12; };
  EXPECT_EQ(band_state(lattice(island), L), BandState::ground);
  const auto ring = [&](int x, int y) { return island(x, y) && !(x == 5 && y == 7); };
  EXPECT_EQ(band_state(lattice(ring), L), BandState::ground);
  // An island that the boundaries cut is one island.
  EXPECT_EQ(band_state(lattice([](int x, int y) { return (x + 3) % L < 6 && (y + 3) % L < 6; }), L), BandState::ground);
  // A cross of minus winds around both directions, and what is left of plus around none.
  EXPECT_EQ(band_state(lattice([](int x, int y) { return x == 3 || y == 5; }), L), BandState::ground);
}

TEST(BandStates, stripes_along_an_axis_are_straight) {
  const auto horizontal = [](int, int y) { return y >= 4 && y < 11; };
  EXPECT_EQ(band_state(lattice(horizontal), L), BandState::straight);
  EXPECT_EQ(band_state(lattice([&](int x, int y) { return horizontal(y, x); }), L), BandState::straight);
  EXPECT_EQ(band_state(lattice([](int, int y) { return y / 4 % 2 == 0; }), L), BandState::straight);
  const auto rough = [](int x, int y) { return y >= 4 + x % 3 && y < 11 + (x / 2) % 4; };
  EXPECT_EQ(band_state(lattice(rough), L), BandState::straight);
  const auto with_island = [&](int x, int y) { return horizontal(x, y) != (x == 8 && (y == 7 || y == 14)); };
  EXPECT_EQ(band_state(lattice(with_island), L), BandState::straight);
}

TEST(BandStates, stripes_around_both_axes_are_diagonal_and_those_of_other_slopes_are_told_apart) {
  EXPECT_EQ(band_state(lattice([](int x, int y) { return (x + y) % L < L / 2; }), L), BandState::diagonal);
  EXPECT_EQ(band_state(lattice([](int x, int y) { return (x - y + L) % L < L / 2; }), L), BandState::diagonal);
  EXPECT_EQ(band_state(lattice([](int x, int y) { return (x + 2 * y) % L < L / 2; }), L), BandState::other);
  EXPECT_EQ(band_state(lattice([](int x, int y) { return (3 * x + y) % L < L / 2; }), L), BandState::other);
}

TEST(BandStates, a_lattice_without_winding_clusters_is_undecided) {
  EXPECT_EQ(band_state(lattice([](int x, int y) { return (x + y) % 2 == 0; }), L), BandState::undecided);
}

TEST(BandStates, a_shift_or_a_flip_of_all_spins_changes_no_state) {
  ZeroTemperature lattices(L, 0, 1, 3);
  lattices.advance(3);
  std::map<BandState, int> count;
  for (int b = 0; b < ZeroTemperature::lattices_of_word; ++b) {
    const std::vector<std::int8_t> spins = lattices.spins(b);
    const BandState state = band_state(spins, L);
    ++count[state];
    const auto spin = [&](int x, int y) { return spins[static_cast<std::size_t>(x % L + L * (y % L))] < 0; };
    EXPECT_EQ(band_state(lattice([&](int x, int y) { return spin(x + 5, y + 11); }), L), state);
    EXPECT_EQ(band_state(lattice([&](int x, int y) { return !spin(x, y); }), L), state);
    EXPECT_EQ(band_state(lattice([&](int x, int y) { return spin(y, x); }), L), state);
  }
  EXPECT_GT(count[BandState::ground], 0);
  EXPECT_GT(count[BandState::straight], 0);
}

/// Bit of a lattice of word `word` at site c of a parity, at the address that ZeroTemperature documents.
bool bit_at(Stream stream, int size, std::uint32_t c, std::uint32_t half_sweep, std::uint64_t word, int lattice) {
  const std::uint32_t tag =
      system_tag(static_cast<std::uint32_t>(Model::ising2d), static_cast<std::uint32_t>(size), ~std::uint64_t{0});
  const Four<std::uint32_t> four = numbers_at(make_key(9, stream, tag), c / 2, half_sweep, word, 0, 0);
  return (four.x[c % 2 * 2 + static_cast<std::uint32_t>(lattice) / 32] >> (lattice % 32) & 1u) != 0;
}

TEST(ZeroTemperature, agrees_with_a_plain_heat_bath_spin_by_spin) {
  for (const int size : {4, 6, 10})
    for (const int lattice_of_all : {0, 31, 32, 63, 64, 130, 191}) {
      const int b = lattice_of_all % 64;
      const std::uint64_t word = 2 + static_cast<std::uint64_t>(lattice_of_all / 64);
      ZeroTemperature lattices(size, 2, 3, 9);
      const auto compact = [size](int x, int y) { return static_cast<std::uint32_t>((x + size * y) / 2); };
      std::vector<std::int8_t> spins = lattice(
          [&](int x, int y) {
            return bit_at(Stream::initial_spins, size, compact(x, y), static_cast<std::uint32_t>((x + y) % 2), word, b);
          },
          size);
      EXPECT_EQ(lattices.spins(lattice_of_all), spins);
      const auto spin = [&](int x, int y) -> std::int8_t& {
        return spins[static_cast<std::size_t>((x + size) % size + size * ((y + size) % size))];
      };
      for (std::uint32_t half_sweep = 0; half_sweep < 8; ++half_sweep) {
        for (int y = 0; y < size; ++y)
          for (int x = (y + static_cast<int>(half_sweep)) % 2; x < size; x += 2) {
            const int sum = spin(x + 1, y) + spin(x - 1, y) + spin(x, y + 1) + spin(x, y - 1);
            const bool bit = bit_at(Stream::metropolis, size, compact(x, y), half_sweep, word, b);
            if (sum != 0)
              spin(x, y) = sum > 0 ? 1 : -1;
            else if (bit)
              spin(x, y) = static_cast<std::int8_t>(-spin(x, y));
          }
        if (half_sweep % 2 == 0) continue;
        lattices.advance(1);
        ASSERT_EQ(lattices.spins(lattice_of_all), spins) << "L " << size << ", half sweep " << half_sweep;
      }
    }
}

/// The state at the end of a lattice that froze is flat: all spins equal, or rows or columns of equal spins.
TEST(Quench, lattices_that_freeze_are_ordered_or_have_straight_stripes) {
  const Quench at_zero{8, 0, 256, 2000, 5, 1};
  const QuenchResult result = quench(at_zero);
  int frozen = 0;
  for (std::size_t i = 0; i < result.frozen.size(); ++i) {
    if (result.frozen[i] == 0) continue;
    ++frozen;
    EXPECT_TRUE(result.states.back()[i] == BandState::ground || result.states.back()[i] == BandState::straight);
    EXPECT_LE(result.settled(i), at_zero.sweeps);
  }
  EXPECT_GT(frozen, 230);
}

TEST(Quench, gives_the_same_states_with_any_number_of_threads) {
  for (const double T : {0.0, 1.0}) {
    const QuenchResult one = quench({16, T, 128, 64, 5, 1}), three = quench({16, T, 128, 64, 5, 3});
    EXPECT_EQ(one.states, three.states);
    EXPECT_EQ(one.frozen, three.frozen);
  }
}

/// Fractions of percolation on a torus, from Pinson's crossing probabilities: 0.6191, 0.3388 and 0.0420. Domains have
/// the topology of critical percolation a few sweeps after the quench, and keep it while they are smaller than L.
void expect_fractions_of_percolation(const Quench& q) {
  const QuenchResult result = quench(q);
  std::map<BandState, double> fraction;
  const auto lattices = static_cast<double>(q.lattices);
  for (const BandState state : result.states.back()) fraction[state] += 1 / lattices;
  for (const auto& [state, expected] :
       {std::pair{BandState::ground, 0.6191}, {BandState::straight, 0.3388}, {BandState::diagonal, 0.0420}})
    EXPECT_NEAR(fraction[state], expected, 4 * std::sqrt(expected * (1 - expected) / lattices))
        << band_names[static_cast<std::size_t>(state)] << ", T " << q.T;
}

TEST(Quench, to_zero_temperature_has_the_fractions_of_percolation) {
  expect_fractions_of_percolation({64, 0, 2048, 64, 1, 2});
}

TEST(Quench, to_a_temperature_below_the_critical_one_has_the_fractions_of_percolation) {
  expect_fractions_of_percolation({64, 1.5, 2048, 16, 1, 2});
}

TEST(Quench, measures_at_the_time_L_and_at_the_end) {
  EXPECT_EQ(quench({10, 0, 64, 20, 1, 1}).times, (std::vector<std::uint64_t>{1, 2, 3, 4, 6, 8, 10, 11, 16, 20}));
  EXPECT_EQ(quench({10, 0, 64, 6, 1, 1}).times, (std::vector<std::uint64_t>{1, 2, 3, 4, 6}));
}

}  // namespace
}  // namespace psflip::laboratory
