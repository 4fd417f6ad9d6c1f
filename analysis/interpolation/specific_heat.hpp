#pragma once
#include <optional>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/statistics/estimate.hpp"

namespace psflip::analysis {

/// A specific heat per site of one slot.
struct SpecificHeat {
  double temperature;
  std::string observable;                   ///< C, C_derivative or C_difference
  statistics::Estimate estimate;            ///< bias-corrected, with the jackknife error of the whole chain
  double systematic = statistics::unknown;  ///< of the derivative
  Eigen::Index blocks = 0;
  std::optional<Eigen::Index> order;  ///< degree of the polynomial that is differentiated
  std::optional<bool> equilibrated;   ///< whether all slots that enter are
};

/// C = beta^2 N ([<e^2>] - [<e>^2]) where it is measured, and C_derivative = d[<e>]/dT of the polynomial in beta
/// through the energies of five slots, as many colder as hotter where there are (fewer where the grid has fewer). Its
/// systematic error is the larger difference to the polynomials with one more slot, a colder or a hotter one.
/// C_difference is C_derivative - C with its paired error. Throws UserError as tempered_slots does.
std::vector<SpecificHeat> specific_heats(const std::vector<Ensemble>& ensembles);

}  // namespace psflip::analysis
