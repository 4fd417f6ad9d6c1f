#include "engine/driver/memory/available_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace psflip {

namespace {

using Path = std::filesystem::path;

/// The number behind `key` in lines "key number ...".
std::optional<double> number_of(const Path& file, const std::string& key) {
  std::ifstream lines(file);
  for (std::string word; lines >> word; std::getline(lines, word)) {
    double number = 0;
    if (word == key && lines >> number) return number;
    lines.clear();
  }
  return std::nullopt;
}

/// A file with one number; a limit that does not exist is a word.
std::optional<double> number_in(const Path& file) {
  std::ifstream stream(file);
  double number = 0;
  if (stream >> number) return number;
  return std::nullopt;
}

/// Names of the files of a version of control groups.
struct Names {
  const char *folder, *limit, *usage, *inactive;
};
constexpr Names version_1 = {"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                             "total_inactive_file"};
constexpr Names version_2 = {"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};

/// The least that a group and those above it leave. Pages of files that have not been used lately count as free, as in
/// MemAvailable.
double left_by_groups(const Path& root, const Names& names, Path group) {
  double left = std::numeric_limits<double>::infinity();
  while (true) {
    const Path folder = root / names.folder / group.relative_path();
    const std::optional<double> limit = number_in(folder / names.limit), usage = number_in(folder / names.usage);
    if (limit && usage)
      left = std::min(left, *limit - *usage + number_of(folder / "memory.stat", names.inactive).value_or(0));
    if (!group.has_relative_path()) return std::max(0.0, left);
    group = group.parent_path();
  }
}

}  // namespace

double available_memory(const Path& root) {
  double available = std::numeric_limits<double>::infinity();
  if (const std::optional<double> kib = number_of(root / "proc/meminfo", "MemAvailable:")) available = 1024 * *kib;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // number:controllers:path
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string controllers = line.substr(first, second - first + 1);  // between commas
    controllers.front() = controllers.back() = ',';
    const Path group = line.substr(second + 1);
    if (controllers == ",,") available = std::min(available, left_by_groups(root, version_2, group));
    if (controllers.find(",memory,") != std::string::npos)
      available = std::min(available, left_by_groups(root, version_1, group));
  }
  return available;
}

}  // namespace psflip
