#include <gtest/gtest.h>

#include <cmath>

#include "simulation.hpp"

namespace psflip::exact {
namespace {

/// 4 x 4 x 4 sites, from the exact density of states and P(M) by transfer matrix.
struct Exact {
  double beta, energy, specific_heat, abs_m, m_2, m_4;
};

const Exact table[] = {{0.2, -0.932610939347, 0.528384854184, 0.372964241198, 0.189414332260, 0.070049512748},
                       {0.221654626, -1.293227940896, 0.977534655137, 0.522143897180, 0.331217164183, 0.166271862535},
                       {0.25, -1.883344076387, 1.200374254057, 0.734693622309, 0.575021679715, 0.384260655199}};

TEST(CubicFerromagnet, thermal_averages_of_four_cubed_sites_are_exact) {
  for (const Exact& exact : table) {
    const System system = cubic_ferromagnet(4, exact.beta, 8192);
    const Blocks rows = thermal_averages(system, {300, 200, 5});
    const double N = 64, scale = exact.beta * exact.beta / N;
    const auto heat = [=](const auto& mean) { return scale * (mean[bonds_2] - mean[bonds] * mean[bonds]); };
    EXPECT_LT(std::abs(pull(mean_of(rows, bonds), -exact.energy * N)), sigma_bound) << "e, beta = " << exact.beta;
    EXPECT_LT(std::abs(pull(jackknife(rows, heat), exact.specific_heat)), sigma_bound) << "C, beta = " << exact.beta;
    EXPECT_LT(std::abs(pull(mean_of(rows, abs_m), exact.abs_m * N)), sigma_bound) << "abs(m), beta = " << exact.beta;
    EXPECT_LT(std::abs(pull(mean_of(rows, m_2), exact.m_2 * N * N)), sigma_bound) << "m^2, beta = " << exact.beta;
    EXPECT_LT(std::abs(pull(mean_of(rows, m_4), exact.m_4 * N * N * N * N)), sigma_bound)
        << "m^4, beta = " << exact.beta;
  }
}

}  // namespace
}  // namespace psflip::exact
