#include <gtest/gtest.h>

#include "hashed_sign.hpp"
#include "random_field_cube4.hpp"

namespace psflip::exact {
namespace {

std::vector<std::int8_t> hashed_fields(std::uint64_t seed) {
  std::vector<std::int8_t> fields;
  for (std::uint64_t site = 0; site < 64; ++site) fields.push_back(hashed_sign(seed, site));
  return fields;
}

// Reference values: an independent transfer matrix over 2^16-state layers.
TEST(RandomFieldCube4, a_sample_has_the_free_energy_and_energy_of_the_transfer_matrix) {
  const RandomFieldCube4 sample(std::vector<std::int8_t>(3 * 64, 1), hashed_fields(11));
  EXPECT_NEAR(sample.at(0.25).log_z, 54.3556176925, 1e-9);
  EXPECT_NEAR(sample.at(0.25).energy, -1.761520049898, 1e-11);
  EXPECT_NEAR(sample.at(0.30).log_z, 61.2182058449, 1e-9);
  EXPECT_NEAR(sample.at(0.30).energy, -2.445689211586, 1e-11);
}

}  // namespace
}  // namespace psflip::exact
