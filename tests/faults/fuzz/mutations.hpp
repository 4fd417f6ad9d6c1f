#pragma once
#include <random>
#include <string>

#include "valid_files.hpp"

namespace psflip::fuzz {

using Random = std::mt19937_64;

/// A few bytes changed: bits flipped, bytes replaced by random or extreme ones, a run copied to another place.
io::Bytes with_changed_bytes(io::Bytes image, Random& random);

/// The file with an attribute, axis or dataset changed, dropped or given another type or length; still a complete file.
io::LabelledFile with_changed_content(io::LabelledFile file, Random& random);

}  // namespace psflip::fuzz
