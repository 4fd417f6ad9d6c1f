#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analysis/physics/critical.hpp"
#include "tests/unit/synthetic_relaxation.hpp"

/// Made-up relaxations of several sizes at five temperatures, and one row of what is fitted to them.
namespace psflip::test {

inline const std::vector<double> betas = {0.84, 0.87, 0.9, 0.93, 0.96};

inline physics::ScalingData scaling_data(const SyntheticRelaxation& law, const std::vector<int>& sizes,
                                         const std::vector<double>& clocks) {
  std::vector<physics::ClockReadings> readings;
  for (const int L : sizes)
    for (const double beta : betas) readings.push_back(physics::read_clock(synthetic_ensemble(law, L, beta), clocks));
  return physics::ScalingData(readings);
}

/// The only row of a kind; a test fails where there is none.
inline physics::CriticalRow only(const std::vector<physics::CriticalRow>& rows, const std::string& quantity,
                                 const std::string& method) {
  std::vector<physics::CriticalRow> found;
  for (const physics::CriticalRow& row : rows)
    if (row.quantity == quantity && row.method == method) found.push_back(row);
  EXPECT_EQ(found.size(), 1u) << quantity << " by " << method;
  return found.empty() ? physics::CriticalRow{} : found.front();
}

}  // namespace psflip::test
