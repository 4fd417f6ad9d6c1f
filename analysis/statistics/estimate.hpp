#pragma once
#include <limits>

namespace psflip::statistics {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A number with its standard error; NaN if the data do not determine it.
struct Estimate {
  double value = unknown;
  double error = unknown;
};

}  // namespace psflip::statistics
