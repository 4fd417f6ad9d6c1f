#pragma once
#include <string>

#include "engine/bench/identity.hpp"

/// Texts of `psflip info` and `--version`.
namespace psflip::app {

/// Versions of code, compiler, HDF5 and the instruction set of the CPU backend, one per line.
std::string version_text();
void print_info();

}  // namespace psflip::app
