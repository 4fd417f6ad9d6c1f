#pragma once
#include <string>
#include <vector>

#include "analysis/physics/crossing.hpp"

namespace psflip::physics {

/// A dimensionless observable of rfim3d at one size, in all temperature slots. They stand on the same samples, so they
/// are one data set; sizes have grids of their own.
struct TemperedCurve {
  int L;
  Eigen::VectorXd temperatures;   ///< of the slots, ascending
  statistics::Blocks blocks;      ///< means of all slots side by side
  statistics::Function function;  ///< of the means of the blocks: values in all slots, then their slopes in temperature
  std::vector<std::optional<bool>> equilibrated;  ///< of the slots
};

/// Crossings of pairs of sizes and their extrapolation, as crossings() finds them for ising2d. Between two slots a
/// curve is the cubic with the measured values and slopes at both (the slopes are covariances with the energy), whose
/// error falls with the fourth power of the distance of the slots; nothing is fitted, so chi2_dof is that of the
/// extrapolation alone. T_min and T_max are the slots around the crossing. Errors: delete-one jackknife over the
/// samples of every size through the whole chain. Throws UserError for fewer than two sizes and where no crossing is
/// found; a pair whose crossing leaves the common range of temperatures when a block is deleted has none.
std::vector<Crossing> tempered_crossings(const std::vector<TemperedCurve>& curves,
                                         const CrossingOptions& options = random_field_exponents);

/// Curves of U4 or xi_over_L from ensembles sorted by L and T. Throws UserError when the slots of a size do not stand
/// on the same samples or when there is only one.
std::vector<TemperedCurve> tempered_curves_of(const std::vector<Ensemble>& ensembles, const std::string& observable);

}  // namespace psflip::physics
