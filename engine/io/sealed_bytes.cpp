#include "engine/io/sealed_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "engine/io/error.hpp"
#include "engine/io/labelled_file.hpp"
#include "engine/io/paths.hpp"

namespace psflip::io {
namespace {

constexpr std::string_view magic = "psflip/1";
constexpr std::string_view temporary = ".tmp.";

void put_u64(std::byte* to, std::uint64_t value) {
  for (int i = 0; i < 8; ++i) to[i] = static_cast<std::byte>(value >> (8 * i));
}

std::uint64_t get_u64(const std::byte* from) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value |= static_cast<std::uint64_t>(from[i]) << (8 * i);
  return value;
}

std::string why(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "the disk is full; free some space or choose another folder";
    case EFBIG:
      return "the file would exceed the size limit (ulimit -f); raise it or choose another folder";
    case EACCES:
    case EPERM:
    case EROFS:
      return "its folder is not writable; choose one where you may write";
    case ENAMETOOLONG:
      return "its name is too long; give a shorter one";
    default:
      return fmt::format("{}; choose another directory", std::strerror(error));
  }
}

[[noreturn]] void refuse_write(const std::filesystem::path& path, int error) {
  throw UserError(fmt::format("Cannot write {}: {}.", path.string(), why(error)));
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

/// A temporary file next to `path`, removed unless commit() succeeded. Where `path` is a symbolic link, the file that
/// it names is replaced and the link stays.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& path) : path_(follow_links(path)) {
    require_replaceable(path);
    const auto folder = folder_of(path_);
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
      throw UserError(fmt::format("Cannot write {}: the folder {} does not exist; create it first.", path_.string(),
                                  folder.string()));
    folder_ = folder;
    name_ = path_.string() + std::string(temporary) + std::to_string(::getpid());
    descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) refuse_write(path_, errno);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!committed_) ::unlink(name_.c_str());
  }

  void append(const std::byte* data, std::size_t size) {
    while (size > 0) {
      const ssize_t written = ::write(descriptor_, data, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) refuse_write(path_, errno);
      data += written;
      size -= static_cast<std::size_t>(written);
    }
  }

  void commit(const std::filesystem::path& keep_old_as) {
    if (::fsync(descriptor_) != 0) refuse_write(path_, errno);
    const int closing = descriptor_;
    descriptor_ = -1;
    if (::close(closing) != 0) refuse_write(path_, errno);
    if (!keep_old_as.empty() && ::rename(path_.c_str(), keep_old_as.c_str()) != 0 && errno != ENOENT)
      refuse_write(keep_old_as, errno);
    if (::rename(name_.c_str(), path_.c_str()) != 0) refuse_write(path_, errno);
    committed_ = true;
    flush_folder();
  }

 private:
  /// The rename itself reaches the disk with the folder; file systems that cannot flush a folder lose nothing else.
  void flush_folder() const {
    const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    ::fsync(folder);
    ::close(folder);
  }

  std::filesystem::path path_;
  std::filesystem::path folder_;
  std::string name_;
  int descriptor_ = -1;
  bool committed_ = false;
};

}  // namespace

std::uint32_t crc32_of(std::span<const std::byte> bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void seal(Bytes& bytes) {
  std::array<std::byte, seal_size> tail;
  std::memcpy(tail.data(), magic.data(), magic.size());
  put_u64(tail.data() + 8, bytes.size());
  put_u64(tail.data() + 16, crc32_of(bytes));
  bytes.insert(bytes.end(), tail.begin(), tail.end());
}

Seal check_seal(const Bytes& bytes) {
  if (bytes.size() < seal_size) return Seal::missing;
  const std::size_t body = bytes.size() - seal_size;
  const std::byte* tail = bytes.data() + body;
  if (std::memcmp(tail, magic.data(), magic.size()) != 0) return Seal::missing;
  const bool fits = get_u64(tail + 8) == body && get_u64(tail + 16) == crc32_of(std::span(bytes).first(body));
  return fits ? Seal::whole : Seal::broken;
}

void remove_seal(Bytes& bytes) { bytes.resize(bytes.size() - seal_size); }

void write_atomically(const std::filesystem::path& path, const std::byte* data, std::size_t size,
                      const std::filesystem::path& keep_old_as) {
  TemporaryFile file(path);
  file.append(data, size);
  file.commit(keep_old_as);
}

void remove_remains(const std::filesystem::path& name) {
  const std::filesystem::path path = follow_links(name);
  const std::string start = path.filename().string() + std::string(temporary);
  std::error_code ignored;
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder_of(path), ignored)) {
    const std::string file_name = entry.path().filename().string();
    if (file_name.starts_with(start) && file_name.find_first_not_of("0123456789", start.size()) == std::string::npos)
      found.push_back(entry.path());
  }
  for (const auto& remains : found) std::filesystem::remove(remains, ignored);
}

Bytes read_bytes(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw UserError(fmt::format("Cannot read {}: there is no such file; check the name.", path.string()));
  if (!std::filesystem::is_regular_file(path, error))
    throw UserError(fmt::format("Cannot read {}: it is not a file; give a file that psflip wrote.", path.string()));
  std::ifstream stream(path, std::ios::binary);
  const auto size = std::filesystem::file_size(path, error);
  Bytes bytes(error ? 0 : size);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream || error)
    throw UserError(fmt::format("Cannot read {}: {}; check its permissions and the disk.", path.string(),
                                error ? error.message() : std::strerror(errno)));
  return bytes;
}

void require_writable(const std::filesystem::path& path) { TemporaryFile probe(path); }

void write_text(const std::filesystem::path& path, const std::string& text) {
  write_atomically(path, reinterpret_cast<const std::byte*>(text.data()), text.size());
}

}  // namespace psflip::io
