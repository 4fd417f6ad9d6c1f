#pragma once
#include <string>

/// Identity of this program and its machine: provenance for files, `psflip info` and `--version`.
namespace psflip::app {

std::string git_commit();
std::string compiler();
/// Name of the processor as the operating system gives it.
std::string processor();
/// UTC, ISO 8601.
std::string utc_now();
/// Versions of code, compiler, HDF5 and the instruction set of the CPU backend, one per line.
std::string version_text();
void print_info();

}  // namespace psflip::app
