#pragma once
#include <functional>
#include <optional>
#include <string>

#include "analysis/ensemble/ensemble.hpp"

namespace psflip::analysis {

/// Equilibration test on equal bins: in the first half of them, true when energy and m^2 have no drift over the last
/// three logarithmic windows; nothing with fewer than 8 bins.
std::optional<bool> ising2d_equilibrated(const Ensemble& ensemble);

/// Equilibration test of a temperature slot of rfim3d, see docs/analysis.md.
struct TemperingVerdict {
  bool even;     ///< on energies and even moments of m
  bool sectors;  ///< on what depends on how often m is positive and how often negative
};
/// Nothing with fewer than three bins or 16 blocks, or after an ordered start.
std::optional<TemperingVerdict> rfim3d_verdict(const Ensemble& ensemble);

/// The result for every observable in equilibrium, of either model; nothing where it is undetermined.
using Verdicts = std::function<std::optional<bool>(const std::string& observable)>;
Verdicts verdicts(const Ensemble& ensemble);

}  // namespace psflip::analysis
