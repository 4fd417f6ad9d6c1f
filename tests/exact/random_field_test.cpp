#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "simulation.hpp"
#include "tempering.hpp"

namespace psflip::exact {
namespace {

constexpr double N = 64;

/// 4 x 4 x 4 sites without a field, from the exact density of states and P(M) by transfer matrix.
struct Exact {
  std::size_t slot;
  double energy, specific_heat, abs_m, m_2, m_4, xi_over_L;
};

TEST(RandomField, without_a_field_the_pure_model_of_four_cubed_sites_is_exact) {
  const std::vector<double> betas = {0.25, 0.235, 0.221654626, 0.21, 0.2};
  const Exact table[] = {
      {4, -0.932610939347, 0.528384854184, 0.372964241198, 0.189414332260, 0.070049512748, 0.4139412118},
      {2, -1.293227940896, 0.977534655137, 0.522143897180, 0.331217164183, 0.166271862535, 0.6301225540},
      {0, -1.883344076387, 1.200374254057, 0.734693622309, 0.575021679715, 0.384260655199, 1.1330727382}};
  const TemperingMeans means = tempering_means(random_field_system(1, 0, betas, 4096), 60, 200);
  EXPECT_GT(*std::min_element(means.rates.begin(), means.rates.end()), 0.2);
  for (const Exact& exact : table) {
    const Blocks& rows = means.slots[exact.slot].rows;
    const double scale = betas[exact.slot] * betas[exact.slot] / N;
    const auto heat = [=](const auto& mean) { return scale * (mean[sum_B2] - mean[sum_B] * mean[sum_B]); };
    const auto xi = [](const auto& mean) {  // chi(k) is the mean over three axes
      return std::sqrt(mean[sum_M2] / (mean[sum_K] / 1024 / 3) - 1) / (2 * std::sin(std::numbers::pi / 4)) / 4;
    };
    const auto expect = [&](const Estimate& found, double wanted, const char* name) {
      EXPECT_LT(std::abs(pull(found, wanted)), sigma_bound) << name << ", slot " << exact.slot;
    };
    expect(mean_of(rows, sum_B), -exact.energy * N, "e");
    expect(jackknife(rows, heat), exact.specific_heat, "C");
    expect(mean_of(rows, sum_abs_M), exact.abs_m * N, "abs(m)");
    expect(mean_of(rows, sum_M2), exact.m_2 * N * N, "m^2");
    expect(mean_of(rows, sum_M4), exact.m_4 * N * N * N * N, "m^4");
    expect(jackknife(rows, xi), exact.xi_over_L, "xi / L");
    expect(mean_of(rows, pair_column(sum_M_M)), 0, "m m of two sets");
  }
}

/// d<O>/d(beta) is <O B> - <O><B> without a field: the sums with B against differences of neighbouring slots, which are
/// off by the third derivative, less than 3 %.
TEST(RandomField, the_mixed_sums_with_B_are_derivatives_in_temperature) {
  const std::vector<double> betas = {0.2316, 0.2216, 0.2116};
  const TemperingMeans means = tempering_means(random_field_system(1, 0, betas, 4096), 60, 300);
  const auto at = [&](std::size_t slot, std::size_t column) { return mean_of(means.slots[slot].rows, column).value; };
  for (const auto& [with_B, alone] : {std::pair{sum_B_M2, sum_M2}, {sum_B_M4, sum_M4}, {sum_B_K, sum_K}}) {
    const double slope = at(1, with_B) - at(1, alone) * at(1, sum_B);
    const double difference = (at(0, alone) - at(2, alone)) / (betas[0] - betas[2]);
    EXPECT_NEAR(slope / difference, 1, 0.05) << "column " << with_B;
  }
}

}  // namespace
}  // namespace psflip::exact
