#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/interpolation/tempered_slots.hpp"
#include "analysis/statistics/estimate.hpp"

namespace psflip::analysis {

/// An observable of tempering at a temperature between slots.
struct InterpolatedRow {
  std::string observable;
  double temperature;
  statistics::Estimate estimate;     ///< bias-corrected, with the jackknife error of the whole chain
  double systematic;                 ///< difference to the polynomial of the next order
  bool from_slopes;                  ///< measured slopes of two slots enter
  Eigen::Index order;                ///< degree of the polynomial
  double T_min, T_max;               ///< outermost slots that enter
  std::optional<bool> equilibrated;  ///< whether all slots that enter are
};

struct Interpolation {
  std::vector<InterpolatedRow> rows;  ///< of all temperatures of the first observable, then of the next
  Eigen::MatrixXd covariance;         ///< [row][row], of the statistical errors; NaN for a single block
  Eigen::Index blocks;
};

/// Observables of these ensembles that are functions of temperature: all without exchange rates, round trips, replica
/// flow and autocorrelation times, which belong to the slots of a grid.
std::vector<std::string> interpolated_observables(const std::vector<Ensemble>& ensembles);

/// Values at temperatures inside the grid of one size. Where the derivative in temperature is measured (of e it is C)
/// the polynomial is the cubic in T with the values and slopes of both neighbouring slots, as for crossings; else one
/// in beta through the four slots around (fewer where the grid has fewer). Errors: delete-one jackknife over blocks of
/// samples through the whole chain. Throws UserError for temperatures outside the grid, and as tempered_slots does.
Interpolation interpolate_observables(const std::vector<Ensemble>& ensembles,
                                      const std::vector<std::string>& observables,
                                      const std::vector<double>& temperatures);

}  // namespace psflip::analysis
