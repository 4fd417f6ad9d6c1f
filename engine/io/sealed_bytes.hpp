#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

/// Bytes of complete files: atomic writing, and the seal (checksum footer), verified before they are interpreted.
namespace psflip::io {

using Bytes = std::vector<std::byte>;

inline constexpr std::size_t seal_size = 24;

/// CRC-32 of bytes; `before` is the one of the bytes before them.
std::uint32_t crc32_of(std::span<const std::byte> bytes, std::uint32_t before = 0);

/// Appends the seal: the 8 characters "psflip/1", then the length and the CRC-32 of everything before it, both 8 bytes
/// little endian. HDF5 readers ignore bytes after the end of their data; a truncated, extended or edited file no
/// longer matches.
void seal(Bytes& bytes);

enum class Seal { whole, missing, broken };
/// Whole: the last 24 bytes are a seal that fits the bytes before it. Broken: a seal that does not fit. Missing: no
/// seal.
Seal check_seal(const Bytes& bytes);
/// Drops the seal of a whole file.
void remove_seal(Bytes& bytes);

/// Writes to a temporary name in the same folder, flushes to disk and renames; whatever fails, no temporary file stays.
/// A symbolic link stays, the file that it names is written. With `keep_old_as` a file that was there takes that name
/// once the new one is complete. Throws UserError (folder missing, not writable, disk full, not a regular file).
void write_atomically(const std::filesystem::path& path, const std::byte* data, std::size_t size,
                      const std::filesystem::path& keep_old_as = {});

/// Removes the temporary files next to `path` that killed processes left. Only for the one writer of this file.
void remove_remains(const std::filesystem::path& path);

/// The bytes of a regular file. Throws UserError when it does not exist or cannot be read.
Bytes read_bytes(const std::filesystem::path& path);

}  // namespace psflip::io
