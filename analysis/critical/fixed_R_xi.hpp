#pragma once
#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"

/// Off-equilibrium finite-size scaling (Lulli, Parisi and Pelissetto, Phys. Rev. E 93, 032126 (2016)): after a quench
/// R_xi(t) = xi(t) / L grows from 0, and in its place as the clock no dynamic exponent is needed to compare sizes.
namespace psflip::analysis {

/// What is read when R_xi passes a given value: log t, log chi, U4 and, with four replicas or more, U22.
const std::vector<std::string>& clock_quantities();

/// Readings of one size and temperature. All of one run are correlated; `deviations` keeps how.
struct ClockReadings {
  int L = 0;
  double temperature = 0, beta = 0;
  std::vector<double> clock;      ///< values of R_xi that the run passes, ascending
  Eigen::MatrixXd values;         ///< [clock][quantity], bias-corrected
  std::vector<std::int64_t> ids;  ///< of the jackknife blocks, ascending
  Eigen::MatrixXd deviations;  ///< D with covariance D^T D: [block][clock x quantity], quantities of one clock together
};

/// Reads the quantities at the wanted values of R_xi, inside every jackknife deletion anew: a least-squares cubic in
/// R_xi through the three measured times on either side, which are chosen once, on the full data. A value that R_xi
/// never reaches, or has near its first or last times only, is left out. Throws UserError for another model and for
/// fewer than two replicas or blocks.
ClockReadings read_clock(const Ensemble& ensemble, const std::vector<double>& wanted);

}  // namespace psflip::analysis
