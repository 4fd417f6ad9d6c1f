#pragma once
#include <filesystem>
#include <functional>

namespace psflip::app {

/// Jobs that are given one file simulate one after another, while others read and write theirs: one process at a time
/// has the whole GPU, and the files of the others cost it nothing. Held from construction to destruction.
class Turn {
 public:
  /// Waits until no other job holds the file, which is made if needed, or until `stop` says so. Throws UserError when
  /// the file cannot be made.
  Turn(const std::filesystem::path& file, const std::function<bool()>& stop);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  int file_;
};

}  // namespace psflip::app
