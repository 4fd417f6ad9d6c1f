#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analysis/critical/critical.hpp"
#include "tests/unit/analysis/synthetic_relaxation.hpp"

/// Made-up relaxations of several sizes at five temperatures, and one row of what is fitted to them.
namespace psflip::test {

inline const std::vector<double> betas = {0.84, 0.87, 0.9, 0.93, 0.96};

inline analysis::ScalingData scaling_data(const SyntheticRelaxation& law, const std::vector<int>& sizes,
                                          const std::vector<double>& R_xi_values) {
  std::vector<analysis::FixedRxiValues> runs;
  for (const int L : sizes)
    for (const double beta : betas)
      runs.push_back(analysis::values_at_fixed_R_xi(synthetic_ensemble(law, L, beta), R_xi_values));
  return analysis::ScalingData(runs);
}

/// The only row of a kind; a test fails where there is none.
inline analysis::CriticalRow only(const std::vector<analysis::CriticalRow>& rows, const std::string& quantity,
                                  const std::string& method) {
  std::vector<analysis::CriticalRow> found;
  for (const analysis::CriticalRow& row : rows)
    if (row.quantity == quantity && row.method == method) found.push_back(row);
  EXPECT_EQ(found.size(), 1u) << quantity << " by " << method;
  return found.empty() ? analysis::CriticalRow{} : found.front();
}

}  // namespace psflip::test
