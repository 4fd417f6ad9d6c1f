#pragma once
#include <vector>

#include "analysis/crossing/tempered_curve.hpp"
#include "analysis/statistics/estimate.hpp"

namespace psflip::analysis {

/// Results of two runs of the same samples at one temperature.
struct Agreement {
  double temperature;
  statistics::Estimate value, other, difference;  ///< of the first run, of the other, other minus first
  std::optional<bool> equilibrated;               ///< the slot of the first run
};

/// Compares two runs of the same realizations of the field whose trajectories are independent. A quantity that is not
/// in equilibrium in one of them differs by more than the error of the difference, to which the disorder does not
/// contribute. Common errors, such as a transient after the same start, do not show. At every slot of `one` inside the
/// range of `other`, which is interpolated as for crossings; errors are of the delete-one jackknife over the samples,
/// the same block left out of both. The curves have to stand on the same blocks (require_same_samples).
std::vector<Agreement> agreement(const TemperedCurve& one, const TemperedCurve& other);

/// Throws UserError unless both are of tempering of one model at one and the same L, field and seed, with the same
/// blocks of samples, and with different temperatures that overlap: runs with the same temperatures begin with the same
/// random numbers.
void require_same_samples(const std::vector<Ensemble>& one, const std::vector<Ensemble>& other);

}  // namespace psflip::analysis
