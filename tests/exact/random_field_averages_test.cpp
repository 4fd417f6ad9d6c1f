#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tempering.hpp"

namespace psflip::exact {
namespace {

/// Disorder averages at L = 4, h = 1 with errors, from an independent program: single-temperature Metropolis, 64
/// samples a word, validated against enumeration.
struct Reference {
  double T;
  Estimate energy, abs_m, m_2, g, xi_over_L;
};

const Reference table[] = {
    {3.6, {-2.3456, 0.0012}, {0.82298, 0.00027}, {0.69686, 0.00040}, {0.96047, 0.00012}, {1.5476, 0.0020}},
    {3.8, {-2.1470, 0.0013}, {0.76118, 0.00035}, {0.61101, 0.00047}, {0.93151, 0.00021}, {1.2217, 0.0016}},
    {4.0, {-1.9317, 0.0014}, {0.68733, 0.00041}, {0.51698, 0.00050}, {0.88723, 0.00032}, {0.9708, 0.0013}},
    {4.2, {-1.7130, 0.0014}, {0.60707, 0.00048}, {0.42317, 0.00053}, {0.82514, 0.00047}, {0.7791, 0.0011}}};

double pull(const Estimate& a, const Estimate& b) { return (a.value - b.value) / std::hypot(a.error, b.error); }

const std::vector<double> warm = {1 / 3.6, 1 / 3.8, 1 / 4.0, 1 / 4.2, 1 / 4.5, 1 / 5.0};

TEST(RandomFieldAverages, of_four_cubed_sites_are_those_of_an_independent_program) {
  const TemperingMeans means = tempering_means(random_field_system(1, 1, warm, 16384), 100, 200);
  for (std::size_t slot = 0; slot < 4; ++slot) {
    const Reference& reference = table[slot];
    const Blocks& rows = means.slots[slot].rows;
    const double N = 64;
    const auto expect = [&](const char* name, const Estimate& found, const Estimate& wanted) {
      EXPECT_LT(std::abs(pull(found, wanted)), sigma_bound)
          << name << ", T = " << reference.T << ": " << found.value << " +- " << found.error;
    };
    expect("e", jackknife(rows, [=](const auto& m) { return (-m[sum_B] - m[sum_F]) / N; }), reference.energy);
    expect("abs(m)", jackknife(rows, [=](const auto& m) { return m[sum_abs_M] / N; }), reference.abs_m);
    expect("m^2", jackknife(rows, [=](const auto& m) { return m[sum_M2] / N / N; }), reference.m_2);
    expect("g", jackknife(rows, [=](const auto& m) { return (3 - m[sum_M4] / m[sum_M2] / m[sum_M2]) / 2; }),
           reference.g);
    const auto xi = [](const auto& m) {
      return std::sqrt(m[sum_M2] / (m[sum_K] / 1024 / 3) - 1) / (2 * std::sin(std::numbers::pi / 4)) / 4;
    };
    expect("xi / L", jackknife(rows, xi), reference.xi_over_L);
  }
}

/// The same samples with exchanges and without: next to a slot so hot that nothing is ever exchanged with it.
TEST(RandomFieldAverages, are_the_same_with_and_without_exchanges) {
  const TemperingMeans on = tempering_means(random_field_system(1, 1, warm, 2048), 200, 600);
  const TemperingMeans off = tempering_means(random_field_system(1, 1, {1 / 4.0, 1 / 4000.0}, 2048), 400, 600);
  EXPECT_GT(*std::min_element(on.rates.begin(), on.rates.end()), 0.3);
  EXPECT_LT(off.rates[0], 1e-3);
  for (const std::size_t column : {std::size_t{sum_B}, std::size_t{sum_F}, std::size_t{sum_abs_M}, std::size_t{sum_M2},
                                   std::size_t{sum_K}, pair_column(sum_Q), pair_column(sum_M_M)}) {
    Blocks differences;
    for (std::size_t i = 0; i < 2048; ++i)
      differences.push_back({on.slots[2].rows[i][column] - off.slots[0].rows[i][column]});
    EXPECT_LT(std::abs(pull(mean_of(differences, 0), Estimate{0, 0})), sigma_bound) << "column " << column;
  }
}

}  // namespace
}  // namespace psflip::exact
