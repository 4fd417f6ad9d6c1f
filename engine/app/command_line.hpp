#pragma once

namespace psflip::app {

/// Parses the command line of `psflip` and does what it says. Returns the exit code; throws UserError for bad input.
int run_command_line(int argc, char** argv);

}  // namespace psflip::app
