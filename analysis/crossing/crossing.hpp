#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/statistics/estimate.hpp"
#include "analysis/statistics/jackknife.hpp"

namespace psflip::analysis {

/// A dimensionless observable at one temperature, with the data behind it.
struct CurvePoint {
  double temperature;
  statistics::Blocks blocks;
  statistics::Function observable;  ///< of the means of the blocks; one result
  std::optional<bool> equilibrated = {};
};

/// An observable against temperature at one size, temperatures ascending. All points are independent of one another.
struct Curve {
  int L;
  std::vector<CurvePoint> points;
};

/// Where the curves of two sizes cross, or, with L2 = infinity, what the crossings tend to.
struct Crossing {
  double L1;
  double L2;
  statistics::Estimate temperature;
  statistics::Estimate value;  ///< of the observable at the crossing
  double chi2_dof;
  double T_min;  ///< temperatures that entered the fits
  double T_max;
  std::optional<bool> equilibrated = {};  ///< whether all that entered is; nothing where unknown
  Eigen::Index blocks = 0;                ///< the fewest jackknife blocks of a data set that contributes to the errors
  double temperature_systematic = statistics::unknown;  ///< of a limit: half the spread over exponents
  double value_systematic = statistics::unknown;
};

/// Exponents with which crossings are extrapolated.
struct Exponents {
  double nu, omega;
};

struct CrossingOptions {
  double nu = 1;        ///< correlation-length exponent; 2D Ising
  double omega = 1.75;  ///< of corrections to scaling; 2D Ising: the leading one of ratios of moments is L^-7/4
  double from = 0;      ///< temperatures between which a crossing is looked for
  double to = std::numeric_limits<double>::infinity();
  std::optional<double> ratio = {};  ///< L2 / L1 of the pairs; nothing: neighbouring sizes
  /// Other reasonable exponents, for the systematic error of the limit. 2D Ising: nu = 1 is exact. The leading
  /// irrelevant operator makes a correction L^-2 in addition to L^-7/4.
  std::vector<Exponents> alternatives = {{1, 2}};
};

/// Positions of two sizes that are compared, the smaller first.
struct SizePair {
  std::size_t first, second;
};

/// Of ascending sizes the neighbouring ones, or all with L2 / L1 = `ratio` (to 0.001, so that 1.333 is 16 / 12). Throws
/// UserError for fewer than two sizes and where no two have the ratio.
std::vector<SizePair> size_pairs(const std::vector<int>& sizes, const std::optional<double>& ratio);

/// Exponents of the zero-temperature fixed point of the random field, nu = 1.38(10) and omega = 0.52(11): Fytas and
/// Martin-Mayor, PRL 110, 227201 (2013). Alternatives: the corners of these errors, and the pure model, from whose
/// fixed point sizes of ten to a hundred still flow away: Hasenbusch, PRB 82, 174433 (2010).
inline const CrossingOptions random_field_exponents = {
    .nu = 1.38,
    .omega = 0.52,
    .alternatives = {{1.28, 0.41}, {1.28, 0.63}, {1.48, 0.41}, {1.48, 0.63}, {0.63002, 0.832}}};

/// Crossings of pairs of sizes, see size_pairs; pairs whose curves do not cross are left out. Near the crossing each
/// curve is a parabola in T, fitted to the widest range of temperatures around the crossing in which both fits are good
/// (Q > 0.05), the narrowest where none is. With two pairs or more a last entry extrapolates those that are
/// equilibrated where two are, else all: T*(L1) = Tc + A f L1^-(omega + 1/nu) and R*(L1) = R* + B (1 + f) L1^-omega,
/// where f = (1 - s^-omega) / (s^(1/nu) - 1) is the same for all pairs of one ratio s = L2 / L1 (Binder, Z. Phys. B 43
/// (1981) 119); its L1 is the smallest that enters. Errors: jackknife over the blocks of every data set in turn through
/// the whole chain, variances added. The systematic errors of the limit are half the spread, (largest - smallest) / 2,
/// over the exponents and their alternatives. Throws UserError for fewer than two sizes, no pair of the ratio, fewer
/// than three common temperatures, or no crossing at all.
std::vector<Crossing> crossings(const std::vector<Curve>& curves, const CrossingOptions& options = {});

/// Curves of one observable of ising2d (U4, xi_over_L, ...) from ensembles sorted by L and T.
std::vector<Curve> curves_of(const std::vector<Ensemble>& ensembles, const std::string& observable);

}  // namespace psflip::analysis
