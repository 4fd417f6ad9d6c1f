#pragma once
#include <string>

/// Identity of the program and its machine: provenance of every file that a program of psflip writes.
namespace psflip {

std::string git_commit();
std::string compiler();
/// The -march value of the CPU backend.
std::string architecture();
/// Name of the processor as the operating system gives it.
std::string processor();
/// UTC, ISO 8601.
std::string utc_now();

}  // namespace psflip
