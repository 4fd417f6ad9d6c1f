#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace psflip::equality {

using Arguments = std::vector<std::string>;

/// Exit code and output of a run of the executable.
struct Outcome {
  int exit_code = -1;  ///< -1 when a signal ended it
  int signal = 0;
  std::uint64_t peak_bytes = 0;  ///< most memory that it had at a time
  std::string error_text;        ///< stderr
  std::vector<std::string> error_lines() const;
};

/// The executable psflip as a process of its own; stdout is discarded.
class Command {
 public:
  /// A limit on the size of files, if not 0, makes writes beyond it fail: a full disk without a disk. `launcher` is a
  /// command line that is given the path and the arguments of psflip.
  explicit Command(const Arguments& arguments, std::uint64_t file_size_limit = 0, const Arguments& launcher = {});
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  ~Command();

  pid_t pid() const { return pid_; }
  void send(int signal) const;
  bool has_ended();
  Outcome wait();

 private:
  void collect(int options);

  pid_t pid_ = -1;
  int error_pipe_ = -1;
  bool ended_ = false;
  int status_ = 0;
  std::uint64_t peak_bytes_ = 0;
};

Outcome run(const Arguments& arguments, std::uint64_t file_size_limit = 0);

/// What the executable writes to stdout; for arguments that a shell leaves as they are.
std::string output_of(const Arguments& arguments);

}  // namespace psflip::equality
