#pragma once
#include "engine/io/labelled_file.hpp"

/// Checks of what a file promises, before its numbers are used. Its checksum protects from accidents, not from editing.
namespace psflip::analysis {

/// Throws UserError unless attributes, axes and values of a measurement file of a known model and method are possible:
/// docs/file-format.md. Lengths of axes and ids agree with the attributes, values are finite and within the bounds of
/// the lattice.
void require_sound_measurement(const io::LabelledFile& file);

/// The same for a reduced file: blocks have as many samples as the ranges of ids, and sums are finite or wholly
/// unknown.
void require_sound_reduced(const io::LabelledFile& file);

}  // namespace psflip::analysis
