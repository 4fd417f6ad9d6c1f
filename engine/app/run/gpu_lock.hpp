#pragma once
#include <filesystem>
#include <functional>

namespace psflip::app {

/// Lock of a shared GPU. Of the jobs with the same lock file one simulates at a time, while the others read and write
/// files. The lock is held from construction to destruction.
class GpuLock {
 public:
  /// Creates the file if needed and waits until no other job holds it, or until `stop` returns true. Throws UserError
  /// if the file cannot be created or its file system has no locks.
  GpuLock(const std::filesystem::path& file, const std::function<bool()>& stop);
  ~GpuLock();
  GpuLock(const GpuLock&) = delete;
  GpuLock& operator=(const GpuLock&) = delete;

 private:
  int file_;
};

/// Throws UserError if the lock file cannot be created or written.
void require_lock_file(const std::filesystem::path& file);

}  // namespace psflip::app
