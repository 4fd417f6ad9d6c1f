#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "emulated_lattices.hpp"
#include "engine/cuda/update/decisions.cuh"
#include "engine/models/tables.hpp"

// Decisions of spin glasses at low temperatures (engine/cuda/update/decisions.cuh).
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

/// A number whose first bits are those of the largest threshold leaves a lane undecided; these temperatures have all
/// values of the three bits behind five that are zero.
TEST(DecisionWithKnownPlanes, is_that_of_any_temperature) {
  std::mt19937 random(6);
  std::uint32_t seen = 0;
  for (int planes = 0; planes < 8; ++planes) {
    const Thresholds thresholds = make_thresholds(std::log(256 / (planes + 0.5)) / 4, 3);
    const IndependentDecision<G, 3> any(thresholds);
    with_known_planes(IndependentDecision<G, 3, 5>(thresholds), [&]<class Known>(const Known& known) {
      static_assert(!std::is_same_v<Known, IndependentDecision<G, 3, 5>>);
      seen |= 1u << (thresholds.by_unsatisfied[2] >> 24);
      const KeySchedule keys(Key{1, 2});
      const HalfSweep s(keys, 3, 4, 0);
      for (std::uint32_t site = 0; site < 512; ++site) {
        std::uint32_t bond[G][6], spin[G], same[G];
        for (int r = 0; r < G; ++r) {
          // three of four bonds are satisfied, so that few lanes flip at no cost
          for (std::uint32_t& b : bond[r]) b = static_cast<std::uint32_t>(random() & random());
          spin[r] = same[r] = static_cast<std::uint32_t>(random());
        }
        known(s, site, known.draw(s, site), spin, bond);
        any(s, site, any.draw(s, site), same, bond);
        for (int r = 0; r < G; ++r) ASSERT_EQ(spin[r], same[r]) << "planes " << planes << ", site " << site;
      }
    });
  }
  EXPECT_EQ(seen, 0xffu);
}

}  // namespace
}  // namespace psflip::cuda
