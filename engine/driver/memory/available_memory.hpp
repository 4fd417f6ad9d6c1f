#pragma once
#include <filesystem>

namespace psflip {

/// Bytes of memory that this process may still take: MemAvailable of /proc/meminfo or, if that is less, what a control
/// group of the process (a container, a job of a batch system) leaves. Infinity if the system tells neither. `root` is
/// the folder of proc and sys.
double available_memory(const std::filesystem::path& root = "/");

}  // namespace psflip
