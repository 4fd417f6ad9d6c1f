#include <gtest/gtest.h>

#include "cube4.hpp"
#include "hashed_sign.hpp"

namespace psflip::exact {
namespace {

/// Of bond 3 site + direction.
std::vector<std::int8_t> hashed_couplings(std::uint64_t seed) {
  std::vector<std::int8_t> couplings(3 * 64);
  for (std::uint64_t site = 0; site < 64; ++site) {
    for (std::uint64_t direction = 0; direction < 3; ++direction)
      couplings[direction * 64 + site] = hashed_sign(seed, 3 * site + direction);
  }
  return couplings;
}

// Reference values: an independent transfer matrix over 2^16-state layers and, for the ferromagnet, its exact density
// of states.
TEST(Cube4, the_ferromagnet_has_the_energy_and_specific_heat_of_its_density_of_states) {
  const Cube4 ferromagnet(std::vector<std::int8_t>(3 * 64, 1));
  EXPECT_NEAR(ferromagnet.at(0.2).energy, -0.932610939347, 1e-11);
  EXPECT_NEAR(ferromagnet.at(0.2).specific_heat, 0.528384854184, 1e-11);
  EXPECT_NEAR(ferromagnet.at(0.221654626).log_z, 50.4277425182, 1e-9);
  EXPECT_NEAR(ferromagnet.at(0.221654626).energy, -1.293227940896, 1e-11);
  EXPECT_NEAR(ferromagnet.at(0.221654626).specific_heat, 0.977534655137, 1e-11);
  EXPECT_NEAR(ferromagnet.at(0.25).energy, -1.883344076387, 1e-11);
}

TEST(Cube4, a_spin_glass_sample_has_the_energy_of_the_transfer_matrix) {
  const Cube4 sample(hashed_couplings(1));
  EXPECT_NEAR(sample.at(0.5).log_z, 67.3271865862, 1e-9);
  EXPECT_NEAR(sample.at(0.5).energy, -1.336575988954, 1e-11);
  EXPECT_NEAR(sample.at(0.9).log_z, 106.7495461504, 1e-9);
  EXPECT_NEAR(sample.at(0.9).energy, -1.658433761633, 1e-11);
}

}  // namespace
}  // namespace psflip::exact
