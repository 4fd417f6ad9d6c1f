#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/statistics/jackknife.hpp"

namespace psflip::analysis {

/// A dimensionless observable of tempering at one size, in all temperature slots. They stand on the same samples, so
/// they are one data set; sizes have grids of their own.
struct TemperedCurve {
  int L;
  Eigen::VectorXd temperatures;   ///< of the slots, ascending
  statistics::Blocks blocks;      ///< means of all slots side by side
  statistics::Function function;  ///< of the means of the blocks: values in all slots, then their slopes in temperature
  std::vector<std::optional<bool>> equilibrated;  ///< of the slots
};

/// Curves of U4 or xi_over_L from ensembles sorted by L and T. Throws UserError when the slots of a size do not stand
/// on the same samples, lack the sums for slopes, or when there is only one.
std::vector<TemperedCurve> tempered_curves_of(const std::vector<Ensemble>& ensembles, const std::string& observable);

/// Of a curve at one temperature.
struct Point {
  double value, slope;
};

/// Lower slot of the interval that holds T; the ends of the grid belong to the first and the last interval.
Eigen::Index interval(const Eigen::VectorXd& temperatures, double T);

/// The cubic with the values and slopes of the two slots around T; `row` holds values, then slopes.
Point interpolate(const Eigen::VectorXd& temperatures, const Eigen::VectorXd& row, double T);

}  // namespace psflip::analysis
