#pragma once
#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"

/// Off-equilibrium finite-size scaling (Lulli, Parisi and Pelissetto, Phys. Rev. E 93, 032126 (2016)): after a quench
/// R_xi(t) = xi(t) / L grows from 0. Sizes are compared at equal values of R_xi, so no dynamic exponent is needed. Such
/// a value is called reference value of R_xi.
namespace psflip::analysis {

/// The quantities that are interpolated to a reference value: log t, log chi, U4 and, with four replicas or more, U22.
const std::vector<std::string>& fixed_R_xi_quantities();

/// Values at fixed R_xi of one size and temperature. All of one run are correlated; `deviations` has their covariance.
struct FixedRxiValues {
  int L = 0;
  double temperature = 0, beta = 0;
  std::vector<double> R_xi;       ///< reference values that the run passes, ascending
  Eigen::MatrixXd values;         ///< [R_xi][quantity], bias-corrected
  std::vector<std::int64_t> ids;  ///< of the jackknife blocks, ascending
  Eigen::MatrixXd deviations;  ///< D with covariance D^T D: [block][R_xi x quantity], quantities of one R_xi together
};

/// The quantities at the wanted reference values, inside every jackknife deletion anew: a least-squares cubic in R_xi
/// through the three measured times on either side, which are chosen once, on the full data. A value that R_xi
/// never reaches, or has near its first or last times only, is left out. Throws UserError for another model and for
/// fewer than two replicas or blocks.
FixedRxiValues values_at_fixed_R_xi(const Ensemble& ensemble, const std::vector<double>& wanted);

}  // namespace psflip::analysis
