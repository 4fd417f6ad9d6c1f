#include "engine/io/paths.hpp"

#include <fmt/format.h>

#include "engine/io/error.hpp"

namespace psflip::io {
namespace fs = std::filesystem;

fs::path follow_links(fs::path path) {
  constexpr int most_links = 40;  // the limit of Linux; a longer chain is a loop
  std::error_code error;
  const fs::path name = path;
  for (int i = 0; fs::is_symlink(fs::symlink_status(path, error)); ++i) {
    if (i == most_links)
      throw UserError(fmt::format("Cannot use {}: its symbolic links form a loop; give another name.", name.string()));
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;  // an absolute target replaces the folder
  }
  return path;
}

void require_replaceable(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status))
    throw UserError(fmt::format("Cannot write {}: it is a folder; give the name of a file.", path.string()));
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw UserError(
        fmt::format("Cannot write {}: it is a device, pipe or socket; give the name of a file.", path.string()));
}

bool is_same_file(const fs::path& one, const fs::path& other) {
  std::error_code error;
  if (fs::equivalent(one, other, error)) return true;  // both exist
  const auto full = [&](const fs::path& path) { return fs::weakly_canonical(fs::absolute(follow_links(path)), error); };
  const fs::path first = full(one), second = full(other);
  return !first.empty() && first == second;
}

void require_other_file(const NamedFile& file, const std::vector<NamedFile>& others) {
  if (file.path.empty()) return;
  for (const NamedFile& other : others)
    if (!other.path.empty() && is_same_file(file.path, other.path))
      throw UserError(fmt::format("{} {} is the same file as {} {}; give each file a name of its own.", file.name,
                                  file.path.string(), other.name, other.path.string()));
}

void require_distinct(const std::vector<NamedFile>& files) {
  for (std::size_t i = 1; i < files.size(); ++i)
    require_other_file(files[i], {files.begin(), files.begin() + static_cast<std::ptrdiff_t>(i)});
}

}  // namespace psflip::io
