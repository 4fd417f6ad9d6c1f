#pragma once
#include <filesystem>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"

namespace psflip::analysis {

/// Throws UserError unless the sums of the ensemble are those from which observables are computed here.
void require_known_sums(const Ensemble& ensemble);

/// Ensembles of reduced files, merged (see merge), all with known sums. Throws UserError.
std::vector<Ensemble> read_ensembles(const std::vector<std::filesystem::path>& paths);

}  // namespace psflip::analysis
