#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/io/labelled_file.hpp"

namespace psflip::analysis {

/// A time of one sample, from the last bin of a run of exchange Monte Carlo.
struct SampleTime {
  std::int64_t sample;  ///< id
  double bin_sweeps;    ///< length of the last bin of this sample
  double value;         ///< sweeps; NaN if the measurements do not determine it
  bool lower_bound;     ///< no event ended in the bin, so the time is longer
};

/// One time of all samples, ids ascending.
struct SampleTimes {
  std::string quantity;
  std::vector<SampleTime> samples;
};

/// round_trip_time, the mean time in which a configuration goes from the coldest slot to the hottest and back: sweeps
/// of the bin x slots x sets / round trips. tau_int_e, tau_int_q2 (random bonds) and tau_int_m (otherwise): the mean
/// over slots of (n / 2) g / v. n is the length of the bin in sweeps, g the mean of (A^a - A^b)^2 / 2 over pairs of
/// sets, A being the mean over the bin, and v the thermal variance of A in this sample; for q^2 pairs of overlaps
/// without a common set. tau_int is at most n / 2. With R sets g has R - 1 degrees of freedom: a relative standard
/// deviation of sqrt(2 / (R - 1)) in one slot, less in the mean over slots where these are independent. Slots without
/// a variance are left out. A time that the file lacks data for is left out. Throws UserError for a file that is not
/// of tempering.
std::vector<SampleTimes> sample_times(const io::LabelledFile& measurement);

/// The times of several files of one job with different samples, as those of one file. Throws UserError for files of
/// different jobs and for samples that two of them hold.
class JoinedSampleTimes {
 public:
  void add(const io::LabelledFile& measurement);
  const std::vector<SampleTimes>& times() const { return times_; }
  /// Of the first file; the job is in them.
  const io::Attributes& attributes() const { return attributes_; }

 private:
  std::string path_;
  io::Attributes attributes_;
  std::vector<double> temperatures_;
  std::vector<SampleTimes> times_;
};

/// The `count` slowest samples, the slowest first; samples without a time are left out.
std::vector<SampleTime> slowest(const SampleTimes& times, std::size_t count);

/// Quantile of the known times, between two of them linear in their rank; NaN if none is known. A lower bound counts
/// with its value.
double quantile(const SampleTimes& times, double part);

/// Part of a histogram in log10 of the time in sweeps.
struct TimeBin {
  double from, to;  ///< of log10 of the time
  std::int64_t samples, lower_bounds;
};

/// Bins of width 1/10 from the shortest to the longest positive time.
std::vector<TimeBin> histogram(const SampleTimes& times);

}  // namespace psflip::analysis
