#pragma once
#include "engine/driver/ranks.hpp"

namespace psflip::app {

/// Parses the command line of `psflip` and executes it, together with the other ranks. Returns the exit code;
/// throws UserError for bad input.
int run_command_line(int argc, char** argv, Ranks& ranks);

}  // namespace psflip::app
