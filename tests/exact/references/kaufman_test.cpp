#include <gtest/gtest.h>

#include <cmath>

#include "kaufman.hpp"

namespace psflip::exact {
namespace {

struct Row {
  int L;
  double beta, energy, specific_heat;
};

// Computed independently, in Python; the formula agrees there with enumeration of 2x2, 3x3, 4x4 and rectangular tori to
// 1e-11.
const Row table[] = {{4, 0.4, -1.379116482259, 0.812515229440},
                     {8, 0.4, -1.222320643251, 1.100475889362},
                     {16, 0.4, -1.131317984411, 1.064976882853},
                     {32, 0.4, -1.107291660978, 0.885812501066},
                     {64, 0.4, -1.106082992472, 0.861855083163},
                     {1024, 0.4, -1.106079203746, 0.861698356839},
                     {4, beta_c_square, -1.565623787638, 0.783266825929},
                     {8, beta_c_square, -1.491589107440, 1.145559239894},
                     {16, beta_c_square, -1.453064852813, 1.498704959400},
                     {32, beta_c_square, -1.433658466146, 1.846767590040},
                     {64, beta_c_square, -1.423938389833, 2.192211393141},
                     {256, beta_c_square, -1.416644954197, 2.879786255203}};

TEST(Kaufman, the_finite_lattice_energy_and_specific_heat_are_the_tabulated_ones) {
  for (const Row& row : table) {
    const Thermal exact = kaufman(row.L, row.L, row.beta);
    EXPECT_NEAR(exact.energy, row.energy, 1e-11) << "L = " << row.L << ", beta = " << row.beta;
    EXPECT_NEAR(exact.specific_heat, row.specific_heat, 2e-10) << "L = " << row.L << ", beta = " << row.beta;
  }
}

TEST(Kaufman, a_three_by_four_torus_agrees_with_enumeration) {
  const double beta = 0.37;
  double z = 0, first = 0, second = 0;
  for (int state = 0; state < 1 << 12; ++state) {
    int bonds = 0;
    const auto spin = [&](int x, int y) { return state >> (x % 3 + 3 * (y % 4)) & 1 ? -1 : 1; };
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 3; ++x) bonds += spin(x, y) * (spin(x + 1, y) + spin(x, y + 1));
    }
    const double weight = std::exp(beta * bonds);
    z += weight;
    first += weight * bonds;
    second += weight * bonds * bonds;
  }
  const Thermal exact = kaufman(3, 4, beta);
  EXPECT_NEAR(exact.log_z, std::log(z), 1e-11);
  EXPECT_NEAR(exact.energy, -first / z / 12, 1e-11);
  EXPECT_NEAR(exact.specific_heat, beta * beta * (second / z - first * first / z / z) / 12, 1e-11);
  EXPECT_NEAR(kaufman(4, 3, beta).log_z, std::log(z), 1e-11);
}

}  // namespace
}  // namespace psflip::exact
