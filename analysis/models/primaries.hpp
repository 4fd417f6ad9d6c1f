#pragma once
#include "analysis/ensemble/block_sums.hpp"

namespace psflip::analysis {

/// The per-sample quantities of a measurement file, means over replicas or pairs (docs/analysis.md). The file must
/// outlive the result. Throws UserError when the file lacks an entry.
Primaries ea3d_primaries(const io::LabelledFile& measurement);
Primaries ising2d_primaries(const io::LabelledFile& measurement);
Primaries rfim3d_primaries(const io::LabelledFile& measurement);
Primaries primaries_of(const io::LabelledFile& measurement);

}  // namespace psflip::analysis
