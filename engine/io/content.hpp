#pragma once
#include <cstddef>
#include <filesystem>

#include "engine/io/child_process.hpp"
#include "engine/io/labelled_file.hpp"

/// The content of a file on its way from the child process that reads it.
namespace psflip::io::content {

/// What follows: an attribute (name, index of its alternative, value); an axis or dataset (name, units, description,
/// index of the alternative of its values, number of axes, name and length of each); a piece of its values, as many
/// bytes as a chunk of the array has; nothing more; the operation that failed.
using Tag = char;
inline constexpr Tag attribute = 'a', axis = 'x', dataset = 'd', values = 'v', end = 'e', failure = 'f';

/// Receives a file and checks that its arrays fit together: names occur once, each
/// dataset lies over axes of the file and has their lengths, real numbers of attributes and axes are finite. Throws
/// UserError naming `path`, Disconnected if the child dies.
LabelledFile receive(Channel& from, const std::filesystem::path& path);

}  // namespace psflip::io::content
