#pragma once
#include <CLI/CLI.hpp>

namespace psflip::app {

/// As in commands.hpp, which it would change: the sums of all studies, whose identity is the sources of `reduce` and
/// all headers that these include, would be made again.
void add_overlaps(CLI::App& app);

}  // namespace psflip::app
