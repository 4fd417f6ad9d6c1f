#pragma once
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/statistics/estimate.hpp"

namespace psflip::analysis {

/// A power law fitted to a relaxation.
struct PowerLaw {
  int L;
  double temperature;
  std::string quantity;           ///< "xi" or "chi"
  statistics::Estimate exponent;  ///< xi ~ t^(1/z), chi ~ t^((2 - eta)/z)
  statistics::Estimate z;
  std::int64_t t_min, t_max;  ///< first and last time that entered
  std::int64_t points;
  double chi2_dof;  ///< of the fit, errors taken as independent
  double
      chi2_dof_covariance;  ///< of a fit with the full covariance between times; NaN with fewer than 10 blocks a point
};

struct DynamicsOptions {
  std::int64_t fit_from;
  std::int64_t fit_to;
  double eta;  ///< converts the exponent of chi into z
};

/// Fits straight lines to log xi and log chi against log t for fit_from <= t <= fit_to, weighted with the errors at
/// each time. Times of one run are strongly correlated, so the errors of the exponents come from the jackknife through
/// the fit. Throws UserError when fewer than three times in the range have a value with an error.
std::vector<PowerLaw> fit_dynamics(const Ensemble& ensemble, const DynamicsOptions& options);

/// The same for parts of the range: those that begin 4, 16, ... times later and those that end 4, 16, ... times
/// earlier and still span a factor of 16. A part with fewer than three times is left out.
std::vector<PowerLaw> scan_dynamics(const Ensemble& ensemble, const DynamicsOptions& options);

}  // namespace psflip::analysis
