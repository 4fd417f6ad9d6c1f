#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/statistics/estimate.hpp"

namespace psflip::analysis {

/// Mean of a quantity over one logarithmic bin of a temperature slot.
struct LogBinRow {
  double temperature;
  std::string observable;
  std::int64_t from, to;            ///< sweeps (from, to]
  statistics::Estimate estimate;    ///< jackknife over blocks of samples
  statistics::Estimate difference;  ///< to the last bin, with its paired error
  std::int64_t blocks;
};

/// The energy e and the square of the order parameter, q2 or m2 (of random bonds and otherwise), of every slot on the
/// logarithmic bins that the files have; archives keep the last three. Throws UserError unless the ensembles are of
/// tempering at one size.
std::vector<LogBinRow> log_bins(const std::vector<Ensemble>& ensembles);

}  // namespace psflip::analysis
