#include <gtest/gtest.h>

#include <cmath>

#include "engine/laboratory/tempering/scalar_tempering.hpp"
#include "tests/oracle/oracle.hpp"

// The scalar reference of exchange Monte Carlo, which swaps temperatures, has the configurations of the oracle, which
// swaps configurations.
namespace psflip::laboratory {
namespace {

System tempered_square(int L, std::uint64_t interval) {
  System system;
  system.model = Model::ising2d;
  system.L = L;
  system.betas = {0.5, 0.45, 0.4, 0.35, 0.3};
  system.samples = 1;
  system.replicas = 1;
  system.seed = 11;
  system.round = {2 * interval, 1};
  return system;
}

TEST(ScalarTempering, has_the_configurations_of_the_oracle_in_every_slot) {
  for (const int L : {4, 6, 10}) {
    for (const std::uint64_t interval : {1u, 3u}) {
      const System system = tempered_square(L, interval);
      oracle::Oracle oracle(system);
      ScalarTempering<AddressedTemperingNumbers> tempering(system);
      for (int step = 0; step < 4; ++step) {
        for (std::size_t slot = 0; slot < system.slots(); ++slot)
          EXPECT_TRUE(tempering.spins(slot) == oracle.spins(slot)) << "L " << L << ", slot " << slot;
        oracle.advance(5);
        tempering.advance(5);
      }
      std::uint64_t accepted = 0;
      for (const std::int32_t count : oracle.sums().accepted) accepted += static_cast<std::uint64_t>(count);
      EXPECT_EQ(tempering.exchanges(), accepted);
      EXPECT_GT(accepted, 5U);
      EXPECT_LT(accepted, 40U);  // of 20 rounds with two pairs each
    }
  }
}

/// Within five errors; the error takes four decisions as one, since successive ones are correlated.
TEST(ScalarTempering, accepts_as_often_with_MINSTD_as_with_addressed_numbers) {
  const System system = tempered_square(8, 2);
  ScalarTempering<AddressedTemperingNumbers> addressed(system);
  ScalarTempering<SerialTemperingNumbers> serial(system);
  constexpr std::uint64_t rounds = 20000;
  addressed.advance(rounds);
  serial.advance(rounds);
  const double tried = 2.0 * rounds, a = static_cast<double>(addressed.exchanges()) / tried;
  const double b = static_cast<double>(serial.exchanges()) / tried;
  EXPECT_NEAR(a, b, 5 * std::sqrt(2 * 4 * a * (1 - a) / tried));
  EXPECT_GT(a, 0.2);
  EXPECT_LT(a, 0.95);
}

}  // namespace
}  // namespace psflip::laboratory
