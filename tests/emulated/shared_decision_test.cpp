#include <gtest/gtest.h>

#include <array>
#include <random>

#include "emulated_lattices.hpp"
#include "engine/cuda/update/decisions.cuh"
#include "engine/models/tables.hpp"

// The decision for low temperatures of a spin glass with shared random numbers (engine/cuda/update/decisions.cuh).
namespace psflip::cuda {
namespace {

constexpr int G = 4;

/// The spins after the decision about one site.
template <class Decision>
std::array<std::uint32_t, G> decided(const Decision& decide, const Four<std::uint32_t>& numbers,
                                     const std::array<std::uint32_t, G>& spins, const std::uint32_t (&bond)[G][6]) {
  const KeySchedule keys(Key{1, 2});
  std::uint32_t spin[G] = {spins[0], spins[1], spins[2], spins[3]};
  decide(HalfSweep(keys, 0, 0, 0), 0, numbers, spin, bond);
  return {spin[0], spin[1], spin[2], spin[3]};
}

TEST(ColdDecision, is_that_of_any_temperature_for_numbers_on_both_sides_of_every_threshold) {
  const SharedDecision<G> decide{make_thresholds(0.9, 3)};
  ASSERT_TRUE(is_cold(decide.thresholds));
  std::mt19937 random(5);
  const std::uint32_t* t = decide.thresholds.by_unsatisfied;
  const std::array<std::uint32_t, 8> numbers = {0, t[0] - 1, t[0], t[1] - 1, t[1], t[2] - 1, t[2], ~0u};
  std::uint32_t seen = 0;
  for (int trial = 0; trial < 4096; ++trial) {
    std::uint32_t bond[G][6];
    std::array<std::uint32_t, G> spin;
    Four<std::uint32_t> u;
    for (int r = 0; r < G; ++r) {
      for (std::uint32_t& b : bond[r]) b = static_cast<std::uint32_t>(random());
      spin[r] = static_cast<std::uint32_t>(random());
      u.x[r] = numbers[(trial >> 3 * r) & 7];  // all combinations for the four replicas
      seen |= 1u << ((trial >> 3 * r) & 7);
    }
    ASSERT_EQ(decided(decide.cold(), u, spin, bond), decided(decide, u, spin, bond)) << "trial " << trial;
  }
  EXPECT_EQ(seen, 0xffu);
}

}  // namespace
}  // namespace psflip::cuda
