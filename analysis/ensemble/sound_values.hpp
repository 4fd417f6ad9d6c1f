#pragma once
#include <string>

#include "engine/io/labelled_file.hpp"
#include "engine/models/model.hpp"

namespace psflip::analysis {

/// Throws UserError if a dataset of a measurement file holds a value that no lattice of its size can give:
/// docs/file-format.md defines them. `measurements` is the number in the largest bin; 1 for relaxation.
void require_possible_values(const io::LabelledFile& file, const io::Dataset& dataset, double measurements);

}  // namespace psflip::analysis
