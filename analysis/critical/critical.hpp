#pragma once
#include <string>
#include <vector>

#include "analysis/critical/scaling_data.hpp"

/// Critical temperature and exponents from relaxation, each with the scan that shows how far it can be trusted.
namespace psflip::analysis {

/// One fitted number.
struct CriticalRow {
  std::string quantity;  ///< beta_c, nu, U4, U22 (critical values at this R_xi), z, eta
  /// joint: fit of cumulants over sizes and temperatures; power: power of L at the beta_c of that fit; quotient: the
  /// same for two sizes; crossing: of the curves of two sizes, or, where L_max is infinite, their limit.
  std::string method;
  std::string cumulants;  ///< the source of beta_c: U4, U22, U4+U22, or none: the beta of the options is taken
  double R_xi;            ///< reference value; NaN for results common to all
  double L_min, L_max;    ///< smallest and largest size that entered
  double omega;           ///< of the correction; NaN without one
  int degree;             ///< of the polynomials in beta and in x
  statistics::Estimate estimate;
  double chi2 = statistics::unknown;
  Eigen::Index dof = 0;
  double xi_min = statistics::unknown;  ///< least L R_xi of a fit to several reference values; NaN for a fit at one

  double chi2_dof() const { return dof > 0 ? chi2 / static_cast<double>(dof) : statistics::unknown; }
};

struct CriticalOptions {
  std::vector<double> R_xi_values;
  std::vector<double> omegas = {1.12, 1.02,
                                1.22};  ///< Baity-Jesi et al., PRB 88, 224416: 1.12(10); the first for crossings
  std::vector<double> together = {};    ///< reference values that are fitted together
  std::vector<double> xi_mins = {};     ///< least xi = L R_xi of such fits; none: no such fits
  std::vector<int> degrees = {2};       ///< of the polynomials in beta and in x; the first for all but fits together
  double beta = 0.9075, nu = 2.56;      ///< where searches begin; beta of exponents at a given one, nu of the drift
};

/// All fits that the data allow: for each reference value of R_xi and choice of cumulants the crossings of sizes, and
/// for each smallest size and correction (none, each omega) the joint fit with the powers of L at its beta_c; then, for
/// each degree and least xi, the fits to several reference values. All others have polynomials of the first degree:
/// they show how results depend on reference value and size. A fit that the points do not determine, or that finds
/// beta_c outside of the temperatures or a negative nu, has no rows.
std::vector<CriticalRow> critical_table(const ScalingData& data, const CriticalOptions& options);

// The following functions use the first degree of the options.

/// The joint fit of `cumulants` of sizes from L_min on and the powers of L at its beta_c. Throws std::domain_error.
std::vector<CriticalRow> joint_fit(const ScalingData& data, const std::string& cumulants, double R_xi, int L_min,
                                   double omega, const CriticalOptions& options);

/// The fit of `cumulants` at all reference values of options.together at once, with one beta_c and nu and levels,
/// slopes and corrections of each R_xi, and the powers of L at its beta_c at each R_xi. Sizes with L R_xi >= xi_min
/// enter: corrections to scaling are those of a correlation length of so many lattice spacings. Errors by linear
/// response to the deviation of each row. Throws std::domain_error.
std::vector<CriticalRow> fit_together(const ScalingData& data, const std::string& cumulants, double xi_min,
                                      double omega, const CriticalOptions& options);

/// The powers of L at the beta of the options, without a fit of cumulants. Throws std::domain_error.
std::vector<CriticalRow> powers_at(const ScalingData& data, double R_xi, int L_min, double omega,
                                   const CriticalOptions& options);

/// Crossings of one cumulant of each size and the next that is at least 1.5 times as large, and their extrapolation by
/// beta*(L) = beta_c + A f L^-(omega + 1/nu) where there are three or more. Throws std::domain_error.
std::vector<CriticalRow> cumulant_crossings(const ScalingData& data, const std::string& cumulant, double R_xi,
                                            const CriticalOptions& options);

}  // namespace psflip::analysis
