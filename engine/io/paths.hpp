#pragma once
#include <filesystem>
#include <string>
#include <vector>

/// Which names are the same file. A command that writes one file over another would lose data.
namespace psflip::io {

/// A file and its name for the user, for example {"--output", path}.
struct NamedFile {
  std::string name;
  std::filesystem::path path;
};

/// The path at the end of a chain of symbolic links; `path` itself when it is no link. The target need not exist.
/// Throws UserError when the links form a loop.
std::filesystem::path follow_links(std::filesystem::path path);

/// Throws UserError when `path` exists and is not a regular file, at the end of its links: a folder, device, pipe or
/// socket, which a rename would replace.
void require_replaceable(const std::filesystem::path& path);

/// True when both paths name one file: by the same path, through symbolic links or as hard links. The file need not
/// exist yet.
bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other);

/// Throws UserError in one sentence when `file` is one of `others`. Empty paths are no files.
void require_other_file(const NamedFile& file, const std::vector<NamedFile>& others);

/// Throws UserError in one sentence when two of `files` are the same file. Empty paths are no files.
void require_distinct(const std::vector<NamedFile>& files);

}  // namespace psflip::io
