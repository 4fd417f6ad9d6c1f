#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "engine/io/labelled_file.hpp"

/// The checkpoint of one job on disk: the newest in its file, the one before it in FILE.previous.
namespace psflip::io {

class CheckpointFile {
 public:
  /// Locks the job (FILE.lock and FILE itself, released with this object or by the end of the process) and removes the
  /// temporary files next to FILE that killed processes left. A symbolic link to FILE is the same job, a hard link too
  /// until the next checkpoint replaces FILE. Throws
  /// UserError when the folder is not writable or another process holds the lock: an orphan of a killed workflow may
  /// still be alive.
  explicit CheckpointFile(std::filesystem::path path);
  CheckpointFile(const CheckpointFile&) = delete;
  CheckpointFile& operator=(const CheckpointFile&) = delete;
  ~CheckpointFile();

  /// The newest complete checkpoint; nothing when the job has none. `say` gets one sentence about a file that is
  /// damaged and one about the file used instead. Throws UserError when there are files but none of them is complete.
  std::optional<LabelledFile> read(const std::function<void(const std::string&)>& say);

  /// Replaces FILE; the old one becomes FILE.previous once the new one is complete and on disk, unless the old one is
  /// damaged. Throws UserError as io::write() does; then the files of before are still there.
  void write(const LabelledFile& checkpoint);

  /// Of a finished job.
  void remove() noexcept;

  const std::filesystem::path& path() const { return path_; }

 private:
  void lock();
  [[noreturn]] void refuse_second_process() const;
  /// Locks the file that is FILE now, against a process that names it by a hard link. False when another holds it.
  bool hold();

  std::filesystem::path path_, previous_, lock_path_;
  int lock_ = -1, held_ = -1;  ///< descriptors of FILE.lock and of FILE
  bool damaged_ = false;       ///< FILE could not be read: it must not push out a previous one that can
};

}  // namespace psflip::io
