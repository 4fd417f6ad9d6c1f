#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/statistics/estimate.hpp"

namespace psflip::analysis {

/// One line of the tidy table: one observable at one temperature and time.
struct Row {
  double temperature;
  std::optional<std::int64_t> time;  ///< sweeps; nothing for equilibrium
  std::string observable;
  statistics::Estimate estimate;     ///< bias-corrected, with jackknife error
  std::int64_t blocks;               ///< jackknife blocks
  double tau = statistics::unknown;  ///< integrated autocorrelation time in sweeps, where one applies
  std::optional<bool> equilibrated;
};

/// All observables of an ensemble with their errors.
std::vector<Row> table(const Ensemble& ensemble);

}  // namespace psflip::analysis
