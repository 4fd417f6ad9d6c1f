#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/statistics/estimate.hpp"
#include "engine/io/labelled_file.hpp"

namespace psflip::analysis {

/// Error of one mean from the second half of the equal bins of a measurement file.
struct SeriesRow {
  double temperature;
  std::string observable;        ///< e, m_abs, m2 or, of overlaps, q_abs, q2
  std::string method;            ///< "binning": logarithmic bins; "window": sum of the autocorrelation function
  std::int64_t bin_sweeps;       ///< length of a bin, sweeps
  std::size_t bins;              ///< bins of this length in each sample
  double error;                  ///< standard error of the mean over bins and samples
  statistics::Estimate tau_int;  ///< in sweeps
};

/// Errors of means from bins of 1, 2, 4, ... stored bins, and autocorrelation times, averaged over the samples of each
/// temperature. Throws UserError for another method and for files with fewer than 16 bins.
std::vector<SeriesRow> series_table(const io::LabelledFile& measurement);

}  // namespace psflip::analysis
