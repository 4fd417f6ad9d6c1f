#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace psflip::statistics {

/// The error of the mean of a series from bins of one size.
struct BinningLevel {
  std::size_t bin_size;  ///< 2^level consecutive values
  std::size_t bins;      ///< number of complete bins; values left over at the end are not used
  double error;          ///< standard error of the mean, sqrt(var(bin means) / bins)
  double tau_int;        ///< 1/2 error^2 / error(bin size 1)^2, in units of the spacing: white noise gives 1/2
};

/// Logarithmic binning (Flyvbjerg and Petersen, J. Chem. Phys. 91 (1989) 461) with bins of 1, 2, 4, ... values down to
/// at least 8 bins; the error is read off where it stops growing. Empty for fewer than 8 values.
std::vector<BinningLevel> log2_binning(std::span<const double> series);

}  // namespace psflip::statistics
