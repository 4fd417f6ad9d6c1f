#pragma once
#include <vector>

#include "engine/io/labelled_file.hpp"

namespace psflip::analysis {

/// Throws UserError when two systems of these reduced files have used the same random numbers: systems of one seed with
/// different model, L, temperature, field or temperature grid whose 24-bit tags are equal (docs/randomness.md). Their
/// errors would be taken as independent and are not.
void require_own_numbers(const std::vector<io::LabelledFile>& files);

}  // namespace psflip::analysis
