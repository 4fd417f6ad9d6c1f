#pragma once
#include <functional>
#include <optional>
#include <string>

#include "analysis/ensemble/ensemble.hpp"

namespace psflip::analysis {

/// Result of an equilibration test at one temperature.
struct Verdict {
  bool even;          ///< on energies and even moments of m
  bool first_powers;  ///< on first powers of m, which depend on the magnetization state
};

/// Test on equal bins: true if energy and the square of the order parameter (first_powers: and the product of m of two
/// replicas, where there is one) have no drift over the last three logarithmic windows in the first half of the bins.
/// Nothing with fewer than 8 bins or, for a disorder average, 16 blocks.
std::optional<Verdict> equilibrium_verdict(const Ensemble& ensemble);

/// Test on logarithmic bins of a temperature slot, see docs/analysis/equilibration.md. Nothing with fewer than three
/// bins or 16 blocks, or after an ordered start.
std::optional<Verdict> tempering_verdict(const Ensemble& ensemble);

/// The result for every observable in equilibrium; nothing where it is undetermined.
using Verdicts = std::function<std::optional<bool>(const std::string& observable)>;
Verdicts verdicts(const Ensemble& ensemble);

}  // namespace psflip::analysis
