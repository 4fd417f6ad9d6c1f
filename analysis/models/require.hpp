#pragma once
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"

/// Requirements of a fit on its ensembles.
namespace psflip::analysis {

/// Throws UserError unless the ensemble is of the method; `why` ends "... holds <method>, but".
void require_method(const Ensemble& ensemble, Method method, const std::string& why);

/// Throws UserError unless the ensemble has the sums for these observables.
void require_observables(const Ensemble& ensemble, const std::vector<std::string>& names);

/// Throws UserError unless two temperatures of one size stand on the same blocks of samples.
void require_same_blocks(const Ensemble& one, const Ensemble& other);

}  // namespace psflip::analysis
