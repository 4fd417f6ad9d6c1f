#pragma once
#include <vector>

#include "analysis/crossing/crossing.hpp"
#include "analysis/crossing/tempered_curve.hpp"

namespace psflip::analysis {

/// Crossings of pairs of sizes and their extrapolation, as crossings() finds them at fixed temperatures. Between two
/// slots a curve is the cubic with the measured values and slopes at both (the slopes are covariances with the energy),
/// whose error falls with the fourth power of the distance of the slots; nothing is fitted, so chi2_dof is that of the
/// extrapolation alone. T_min and T_max are the slots around the crossing. Errors: delete-one jackknife over the
/// samples of every size through the whole chain. A pair whose crossing leaves the common range of temperatures when a
/// block is deleted has none. A pair without a common range is left out. Throws UserError for fewer than two sizes, no
/// pair of the ratio, and where no pair has a common range.
std::vector<Crossing> tempered_crossings(const std::vector<TemperedCurve>& curves,
                                         const CrossingOptions& options = random_field_exponents);

}  // namespace psflip::analysis
