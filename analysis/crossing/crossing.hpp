#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/models/critical_exponents.hpp"
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

/// An observable against temperature at one size, temperatures ascending. Without disorder all points are independent
/// of one another.
struct Curve {
  int L;
  std::vector<CurvePoint> points;
  bool shares_samples = false;  ///< points have the same disorder in the same blocks
};

/// Where the curves of two sizes cross, or, with L2 = infinity, the limit of the crossings. Where two curves do not
/// cross, that is a result: temperature and value are unknown, and T_min to T_max is the range that was searched.
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
  std::string why_none = {};  ///< a sentence where the curves do not cross
};

struct CrossingOptions {
  double nu = pure_2d.leading.nu;        ///< correlation-length exponent
  double omega = pure_2d.leading.omega;  ///< of corrections to scaling
  double from = 0;                       ///< temperatures between which a crossing is looked for
  double to = std::numeric_limits<double>::infinity();
  std::optional<double> ratio = {};                            ///< L2 / L1 of the pairs; nothing: neighbouring sizes
  std::vector<Exponents> alternatives = pure_2d.alternatives;  ///< for the systematic error of the limit
  bool second_correction = pure_2d.second_correction;          ///< see CriticalExponents
  bool extrapolate = true;  ///< whether the limit is made; without it exponents are not used
};

inline CrossingOptions crossing_options(const CriticalExponents& exponents) {
  return {.nu = exponents.leading.nu,
          .omega = exponents.leading.omega,
          .alternatives = exponents.alternatives,
          .second_correction = exponents.second_correction};
}

/// Positions of two sizes that are compared, the smaller first.
struct SizePair {
  std::size_t first, second;
};

/// Of ascending sizes the neighbouring ones, or all with L2 / L1 = `ratio` (to 0.001, so that 1.333 is 16 / 12). Throws
/// UserError for fewer than two sizes and where no two have the ratio.
std::vector<SizePair> size_pairs(const std::vector<int>& sizes, const std::optional<double>& ratio);

inline const CrossingOptions random_field_exponents = crossing_options(random_field_3d);

/// Crossings of pairs of sizes, see size_pairs, also of pairs whose curves do not cross. Near the crossing each curve
/// is a parabola in T, fitted to the widest range of temperatures around the crossing in which both fits are good
/// (Q > 0.05), the narrowest where none is. With two pairs or more a last entry, if options request it, extrapolates
/// those that are equilibrated where two are, else all: T*(L1) = Tc + A f L1^-(omega + 1/nu) and R*(L1) = R* + B (1 +
/// f) L1^-omega, where f = (1 - s^-omega) / (s^(1/nu) - 1) is the same for all pairs of one ratio s = L2 / L1 (Binder,
/// Z. Phys. B 43 (1981) 119); its L1 is the smallest that enters. Errors: jackknife over the blocks of one data set
/// after another through the whole chain, variances added. The systematic errors of the limit are half the spread,
/// (largest - smallest) / 2, over the exponents and their alternatives; if options.second_correction, and four pairs or
/// more enter, at least the change of the limit if terms with 2 omega for omega are fitted too. Throws UserError for
/// fewer than two sizes, no pair of the ratio, or fewer than three common temperatures.
std::vector<Crossing> crossings(const std::vector<Curve>& curves, const CrossingOptions& options = {});

/// Curves of one observable (U4, xi_over_L, ...) at fixed temperatures from ensembles sorted by L and T. Throws
/// UserError if temperatures of one size have the same disorder but other samples.
std::vector<Curve> curves_of(const std::vector<Ensemble>& ensembles, const std::string& observable);

}  // namespace psflip::analysis
