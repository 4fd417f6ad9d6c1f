#include <gtest/gtest.h>

#include "random_field_cube4.hpp"

namespace psflip::exact {
namespace {

/// The deterministic sample of the reference table: h_i is -1 when the top bit of the hash is set.
std::vector<std::int8_t> hashed_fields(std::uint64_t seed) {
  std::vector<std::int8_t> fields;
  for (std::uint64_t site = 0; site < 64; ++site) {
    std::uint64_t x = (seed << 32) + site + 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    fields.push_back((x ^ x >> 31) >> 63 ? -1 : 1);
  }
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
