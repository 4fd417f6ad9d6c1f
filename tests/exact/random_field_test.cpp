#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/cpu/cpu.hpp"
#include "random_field_cube4.hpp"
#include "tempering.hpp"

namespace psflip::exact {
namespace {

constexpr double N = 64;

std::vector<double> inverse(const std::vector<double>& T) {
  std::vector<double> betas;
  for (const double t : T) betas.push_back(1 / t);
  return betas;
}

/// Sums over the fields of one sample: of h_i, of h_i h_j over bonds, 1024 |h(k)|^2 over the axes.
struct FieldSums {
  double sum = 0, bonds = 0, k2 = 0;
};

FieldSums sums_of(const std::int8_t* h) {
  FieldSums sums;
  double re[3] = {}, im[3] = {};
  for (int site = 0; site < 64; ++site) {
    const int at[3] = {site % 4, site / 4 % 4, site / 16};
    sums.sum += h[site];
    for (int axis = 0, step = 1; axis < 3; ++axis, step *= 4) {
      sums.bonds += h[site] * h[at[axis] == 3 ? site - 3 * step : site + step];
      re[axis] += h[site] * std::cos(std::numbers::pi / 2 * at[axis]);
      im[axis] += h[site] * std::sin(std::numbers::pi / 2 * at[axis]);
    }
  }
  for (int axis = 0; axis < 3; ++axis) sums.k2 += 1024 * (re[axis] * re[axis] + im[axis] * im[axis]);
  return sums;
}

/// Mean over samples of (measured - exact), in standard errors.
template <class Exact>
double pull_of_samples(const TemperingMeans& means, std::size_t slot, std::size_t column, Exact exact) {
  Blocks differences;
  for (std::size_t i = 0; i < means.slots[slot].rows.size(); ++i)
    differences.push_back({means.slots[slot].rows[i][column] - exact(sums_of(&means.fields[i * 64]))});
  return pull(mean_of(differences, 0), 0);
}

TEST(RandomField, a_paramagnet_in_a_field_has_the_averages_of_the_closed_form) {
  const auto betas = inverse({0.7, 0.9, 1.2, 1.7, 2.6});
  const double h = 0.8;
  const TemperingMeans means = tempering_means(random_field_system(0, h, betas, 2048), 40, 200);
  EXPECT_GT(*std::min_element(means.rates.begin(), means.rates.end()), 0.05);
  for (std::size_t slot = 0; slot < betas.size(); ++slot) {
    const double t = std::tanh(betas[slot] * h), t2 = t * t;
    const auto expect = [&](std::size_t column, auto exact) {
      EXPECT_LT(std::abs(pull_of_samples(means, slot, column, exact)), sigma_bound)
          << "column " << column << ", beta = " << betas[slot];
    };
    expect(sum_F, [=](const FieldSums&) { return N * t; });
    expect(sum_F2, [=](const FieldSums&) { return N * N * t2 + N * (1 - t2); });
    expect(sum_B, [=](const FieldSums& f) { return t2 * f.bonds; });
    expect(sum_M, [=](const FieldSums& f) { return t * f.sum; });
    expect(sum_M2, [=](const FieldSums& f) { return t2 * f.sum * f.sum + N * (1 - t2); });
    expect(sum_K, [=](const FieldSums& f) { return t2 * f.k2 + 3 * 1024 * N * (1 - t2); });
    // <F O> - <F><O> is the derivative in beta h
    const auto F_M2 = [=](const FieldSums& f) {
      return N * t * (t2 * f.sum * f.sum + N * (1 - t2)) + 2 * t * (1 - t2) * (f.sum * f.sum - N);
    };
    expect(sum_F_M2, F_M2);
    expect(sum_F_K, [=](const FieldSums& f) {
      return N * t * (t2 * f.k2 + 3 * 1024 * N * (1 - t2)) + 2 * t * (1 - t2) * (f.k2 - 3 * 1024 * N);
    });
    expect(sum_BF, [=](const FieldSums& f) { return N * t * t2 * f.bonds + 2 * t * (1 - t2) * f.bonds; });
    expect(pair_column(sum_Q), [=](const FieldSums&) { return N * t2; });
    expect(pair_column(sum_M_M), [=](const FieldSums& f) { return t2 * f.sum * f.sum; });
    expect(pair_column(sum_MK_MK), [=](const FieldSums& f) { return t2 * f.k2; });
  }
}

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

/// A sample of known fields has the exact energy and specific heat: one row for each bin of time and set.
TEST(RandomField, thermal_averages_of_samples_of_known_fields_are_exact) {
  TemperingSystem system = random_field_system(1, 1, {0.30, 0.28, 0.265, 0.25}, 64);
  const auto engine = cpu::make_tempering(system, 1, 0);
  engine->advance(400);
  const std::vector<std::size_t> chosen = {5, 62};
  constexpr int bins = 100, rounds = 100;
  std::vector<std::vector<Blocks>> rows(chosen.size(), std::vector<Blocks>(system.slots()));
  for (int bin = 0; bin < bins; ++bin) {
    engine->clear_sums();
    engine->advance(rounds);
    const TemperingSums sums = engine->sums();
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      for (std::size_t slot = 0; slot < system.slots(); ++slot) {
        for (std::size_t set = 0; set < tempering_sets; ++set) {
          const auto mean = [&](SetSum which) {
            return sums.set[((which * system.slots() + slot) * 64 + chosen[k]) * tempering_sets + set] / rounds;
          };
          rows[k][slot].push_back({-mean(sum_B) - mean(sum_F), mean(sum_B2) + 2 * mean(sum_BF) + mean(sum_F2)});
        }
      }
    }
  }
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const auto all = engine->fields();
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(chosen[k] * 64);
    const RandomFieldCube4 exact({first, first + 64});
    for (const std::size_t slot : {std::size_t{0}, std::size_t{3}}) {
      const double beta = system.betas[slot];
      const auto heat = [=](const auto& mean) { return beta * beta / N * (mean[1] - mean[0] * mean[0]); };
      const Estimate e = mean_of(rows[k][slot], 0);
      EXPECT_LT(std::abs(pull(e, exact.at(beta).energy * N)), sigma_bound) << "e, sample " << k << ", beta " << beta;
      EXPECT_LT(std::abs(pull(jackknife(rows[k][slot], heat), exact.at(beta).specific_heat)), sigma_bound)
          << "C, sample " << k << ", beta " << beta;
      EXPECT_LT(e.error / N, 6e-3);  // sharp enough to tell samples apart: their energies differ by tenths
    }
  }
}

}  // namespace
}  // namespace psflip::exact
