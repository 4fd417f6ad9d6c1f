#include "engine/app/run/gpu_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "engine/app/say.hpp"
#include "engine/io/error.hpp"

namespace psflip::app {

namespace {

/// Descriptor of the lock file, which is created if needed.
int open_lock_file(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (descriptor < 0)
    throw UserError(fmt::format("--gpu-lock {}: cannot be written, check the folder.", file.string()));
  return descriptor;
}

}  // namespace

void require_lock_file(const std::filesystem::path& file) { close(open_lock_file(file)); }

GpuLock::GpuLock(const std::filesystem::path& file, const std::function<bool()>& stop) : file_(open_lock_file(file)) {
  bool said = false;
  // Not a lock that waits by itself: a signal has to end it.
  while (flock(file_, LOCK_EX | LOCK_NB) != 0 && !stop()) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      close(file_);
      throw UserError(
          fmt::format("--gpu-lock {}: its file system has no locks, give a file on a local disk.", file.string()));
    }
    if (!said) say("waiting for the GPU lock {}\n", file.string());
    said = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

GpuLock::~GpuLock() { close(file_); }

}  // namespace psflip::app
