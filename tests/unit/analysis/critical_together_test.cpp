#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/unit/analysis/critical_data.hpp"

namespace psflip::analysis {
namespace {

using test::only;
using test::scaling_data;
using test::SyntheticRelaxation;

CriticalOptions together(const std::vector<double>& R_xi_values) {
  CriticalOptions options{R_xi_values};
  options.together = R_xi_values;
  return options;
}

TEST(Critical, FitsAllReferenceValuesTogether) {
  SyntheticRelaxation law;
  law.b = 0.6;
  law.noise = 1e-6;
  const std::vector<double> R_xi_values = {0.25, 0.3, 0.4};
  const ScalingData data = scaling_data(law, {8, 12, 16, 24}, R_xi_values);
  for (const std::string cumulants : {"U4", "U4+U22"}) {
    const auto rows = fit_together(data, cumulants, 2, law.omega, together(R_xi_values));
    const CriticalRow beta_c = only(rows, "beta_c", "joint"), nu = only(rows, "nu", "joint");
    EXPECT_NEAR(beta_c.estimate.value, law.beta_c, 1e-5);
    EXPECT_NEAR(nu.estimate.value, law.nu, 1e-3);
    EXPECT_TRUE(std::isnan(beta_c.R_xi)) << "all reference values have it in common";
    EXPECT_EQ(beta_c.xi_min, 2);
    EXPECT_EQ(beta_c.dof, cumulants == "U4" ? 60 - 2 - 3 * 4 : 120 - 2 - 6 * 4);
    std::vector<double> at;
    for (const CriticalRow& row : rows) {
      if (row.quantity == "U4") {
        EXPECT_NEAR(row.estimate.value, 3 - 4 * row.R_xi * row.R_xi, 1e-4);
      }
      if (row.quantity == "z" && row.method == "power") {
        EXPECT_NEAR(row.estimate.value, law.z, 1e-3);
        at.push_back(row.R_xi);
      }
    }
    EXPECT_EQ(at, R_xi_values) << "exponents are found at each reference value";
  }
}

TEST(Critical, TakesAtEachReferenceValueTheSizesThatHaveTheLeastCorrelationLength) {
  SyntheticRelaxation law;
  law.noise = 1e-5;
  const std::vector<double> R_xi_values = {0.25, 0.3, 0.4};
  const ScalingData data = scaling_data(law, {8, 12, 16, 24}, R_xi_values);
  std::map<double, double> smallest;
  for (const CriticalRow& row : fit_together(data, "U4", 3.2, statistics::unknown, together(R_xi_values)))
    if (row.quantity == "z" && row.method == "power") smallest[row.R_xi] = row.L_min;
  EXPECT_EQ(smallest, (std::map<double, double>{{0.25, 16}, {0.3, 12}, {0.4, 8}}));
  // With corrections two sizes do not determine the terms of a reference value, and it is left out.
  for (const CriticalRow& row : fit_together(data, "U4", 3.2, law.omega, together(R_xi_values)))
    EXPECT_NE(row.R_xi, 0.25) << row.quantity;
  EXPECT_THROW(fit_together(data, "U4", 9, law.omega, together(R_xi_values)), std::domain_error);
}

TEST(Critical, FitsPolynomialsOfEveryDegreeToAllReferenceValuesTogether) {
  SyntheticRelaxation law;
  law.noise = 1e-5;
  const std::vector<double> R_xi_values = {0.25, 0.3};
  const ScalingData data = scaling_data(law, {8, 12, 16, 24}, R_xi_values);
  CriticalOptions options = together(R_xi_values);
  options.omegas = {law.omega};
  options.xi_mins = {2};
  options.degrees = {2, 3};
  std::map<int, Eigen::Index> dof;  // of the fit of U4 with a correction
  for (const CriticalRow& row : critical_table(data, options)) {
    if (std::isnan(row.xi_min)) EXPECT_EQ(row.degree, 2) << row.method << " at one reference value";
    if (!std::isnan(row.xi_min) && row.quantity == "beta_c" && row.cumulants == "U4" && row.omega == law.omega) {
      EXPECT_TRUE(dof.emplace(row.degree, row.dof).second) << "one fit of each degree";
      EXPECT_NEAR(row.estimate.value, law.beta_c, 6 * row.estimate.error);
    }
  }
  EXPECT_EQ(dof, (std::map<int, Eigen::Index>{{2, 40 - 2 - 2 * 4}, {3, 40 - 2 - 2 * 5}}));
}

TEST(Critical, HasErrorsThatCoverTheTruthWithAllReferenceValuesTogether) {
  SyntheticRelaxation law;
  law.b = 0.3;
  law.noise = 0.002;
  law.blocks = 64;
  const std::vector<double> R_xi_values = {0.25, 0.3, 0.4};
  double beta_c = 0, z = 0, error = 0, error_of_one = 0;  // squares of deviations in units of their errors; errors
  constexpr int studies = 100;
  for (law.seed = 1; law.seed <= studies; ++law.seed) {
    const ScalingData data = scaling_data(law, {8, 12, 16, 24}, R_xi_values);
    const auto rows = fit_together(data, "U4+U22", 2, law.omega, together(R_xi_values));
    const auto found = only(rows, "beta_c", "joint").estimate;
    beta_c += std::pow((found.value - law.beta_c) / found.error, 2) / studies;
    error += found.error / studies;
    error_of_one += only(joint_fit(data, "U4", 0.3, 8, law.omega, {{0.3}}), "beta_c", "joint").estimate.error / studies;
    for (const CriticalRow& row : rows)
      if (row.quantity == "z" && row.method == "power" && row.R_xi == 0.3)
        z += std::pow((row.estimate.value - law.z) / row.estimate.error, 2) / studies;
  }
  EXPECT_NEAR(beta_c, 1, 4 * std::sqrt(2.0 / studies));
  EXPECT_NEAR(z, 1, 4 * std::sqrt(2.0 / studies));
  EXPECT_LT(error, error_of_one);
}

}  // namespace
}  // namespace psflip::analysis
