#pragma once
#include "analysis/ensemble/block_sums.hpp"

namespace psflip::analysis {

/// The per-sample quantities of a measurement file: those of its method and model (quantities/tables.hpp) for which it
/// has the integers. The file must outlive the result. Throws UserError if it holds no measurements or lacks the bond
/// sum or the order parameter.
Primaries primaries_of(const io::LabelledFile& measurement);

}  // namespace psflip::analysis
