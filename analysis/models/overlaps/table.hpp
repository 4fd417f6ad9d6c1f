#pragma once
#include <array>
#include <optional>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/models/overlaps/histograms.hpp"
#include "analysis/statistics/estimate.hpp"

namespace psflip::analysis {

/// Parts of the samples whose P_J is below the quantiles of a row: one standard deviation of a Gaussian around the
/// median.
inline constexpr std::array<double, 3> quantile_levels = {0.16, 0.5, 0.84};

/// One bin of q at one temperature slot: definitions in docs/analysis/estimators.md. Estimates have jackknife errors.
struct OverlapRow {
  std::size_t slot, bin;
  double temperature;
  double q;                                              ///< centre of the bin
  statistics::Estimate density;                          ///< [P_J(q)], not symmetrised
  statistics::Estimate even;                             ///< [(P_J(q) + P_J(-q)) / 2]
  statistics::Estimate within;                           ///< X: probability of all bins with centres from -|q| to |q|
  std::array<double, quantile_levels.size()> quantiles;  ///< over samples, of (P_J(q) + P_J(-q)) / 2
  statistics::Estimate link;                             ///< [q_l | q], of the bins q and -q together
  std::int64_t samples, blocks;
  std::optional<bool> equilibrated;  ///< of the slot, as for `P_q_0` of combine
};

/// The rows of a slot; `ensemble` has the block sums of the same samples at the temperature of the slot, by which
/// samples are divided into blocks and the slot is tested for equilibrium.
std::vector<OverlapRow> overlap_table(const OverlapHistograms& histograms, std::size_t slot, const Ensemble& ensemble);

/// Leaves out the sums that only the observables P_q_0, P_q_1, ... of combine need.
void drop_overlap_densities(Ensemble& ensemble);

/// The value below which a part `level` of the values lies, interpolated between the two nearest: of n sorted values
/// number level (n - 1), counted from 0. The values are sorted. NaN without values.
double quantile(std::vector<double>& values, double level);

}  // namespace psflip::analysis
