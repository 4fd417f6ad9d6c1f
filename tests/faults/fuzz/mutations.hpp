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

/// The first value, axis or dataset of `read` that is not as `valid` has it; empty if there is none. A file with
/// changed bytes may state other attributes, texts and names, but no other value: each chunk or dataset has a checksum.
std::string wrong_number(const io::LabelledFile& read, const io::LabelledFile& valid);

/// The same for a file with changed content, which states everything.
std::string wrong_content(const io::LabelledFile& read, const io::LabelledFile& stated);

}  // namespace psflip::fuzz
