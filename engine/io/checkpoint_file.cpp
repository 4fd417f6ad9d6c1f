#include "engine/io/checkpoint_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "engine/io/error.hpp"
#include "engine/io/paths.hpp"
#include "engine/io/sealed_bytes.hpp"

namespace psflip::io {
namespace {

std::filesystem::path with_suffix(std::filesystem::path path, const char* suffix) { return path += suffix; }

/// Whether `path` still names the open file: its last owner removes a lock file, maybe between our open and our lock.
bool is_named(int file, const std::filesystem::path& path) {
  struct stat open_file {
  }, named_file{};
  return fstat(file, &open_file) == 0 && stat(path.c_str(), &named_file) == 0 &&
         open_file.st_ino == named_file.st_ino && open_file.st_dev == named_file.st_dev;
}

/// The file of a lock is empty; a file with content belongs to the user.
bool is_lock_file(int file) {
  struct stat status {};
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

}  // namespace

CheckpointFile::CheckpointFile(std::filesystem::path path)
    : path_(follow_links(std::move(path))),
      previous_(with_suffix(path_, ".previous")),
      lock_path_(with_suffix(path_, ".lock")) {
  lock();
  remove_remains(path_);
}

CheckpointFile::~CheckpointFile() {
  unlink(lock_path_.c_str());
  close(lock_);
  if (held_ >= 0) close(held_);
}

void CheckpointFile::lock() {
  while (true) {
    lock_ = open(lock_path_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NONBLOCK, 0644);
    if (lock_ >= 0 && !is_lock_file(lock_)) {
      close(lock_);
      throw UserError(fmt::format("--checkpoint {}: {} is another file and would be removed, give another name.",
                                  path_.string(), lock_path_.string()));
    }
    if (lock_ < 0)
      throw UserError(fmt::format("--checkpoint {}: cannot be written, check the folder.", path_.string()));
    const bool locked = flock(lock_, LOCK_EX | LOCK_NB) == 0;
    if (locked && is_named(lock_, lock_path_)) break;
    close(lock_);
    if (!locked) refuse_second_process();
  }
  if (hold()) return;
  unlink(lock_path_.c_str());
  close(lock_);
  refuse_second_process();
}

void CheckpointFile::refuse_second_process() const {
  throw UserError(
      fmt::format("--checkpoint {}: another process runs this job, wait for it or end it.", path_.string()));
}

bool CheckpointFile::hold() {
  const int before = held_;
  held_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (before >= 0) close(before);
  // Some file systems have no such locks; there the lock file alone keeps a second process out.
  return held_ < 0 || flock(held_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

std::optional<LabelledFile> CheckpointFile::read(const std::function<void(const std::string&)>& say) {
  std::error_code ignored;
  const bool newest = std::filesystem::exists(path_, ignored), older = std::filesystem::exists(previous_, ignored);
  if (!newest && !older) return std::nullopt;
  if (newest) {
    try {
      return io::read(path_, "checkpoint");
    } catch (const UserError& error) {
      if (!older) throw;
      damaged_ = true;
      say(error.what());
    }
  }
  try {
    LabelledFile file = io::read(previous_, "checkpoint");
    say(fmt::format("The previous checkpoint {} is used instead.", previous_.string()));
    return file;
  } catch (const UserError& error) {
    throw UserError(
        fmt::format("--checkpoint {}: neither it nor {} is a complete checkpoint, so the job cannot continue; "
                    "check the disk, then remove both to begin the job anew.",
                    path_.string(), previous_.filename().string()));
  }
}

void CheckpointFile::write(const LabelledFile& checkpoint) {
  io::write(path_, checkpoint,
            {.storage = Storage::plain, .keep_old_as = damaged_ ? std::filesystem::path() : previous_});
  damaged_ = false;
  hold();
}

void CheckpointFile::remove() noexcept {
  std::error_code ignored;
  std::filesystem::remove(previous_, ignored);  // first: a job killed in between continues from the newest
  std::filesystem::remove(path_, ignored);
}

}  // namespace psflip::io
