#pragma once
#include "engine/methods/job.hpp"

namespace psflip {

/// Throws UserError in one sentence if the contracts do not define the lattice, the samples, the energy or the random
/// numbers of the job.
void validate_system(const Job& job);

/// Throws UserError if a model with a field has an energy that exceeds the range of double in units of the temperature.
void require_finite_energy(const Job& job);

}  // namespace psflip
