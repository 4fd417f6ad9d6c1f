#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/driver/ranks.hpp"
#include "engine/io/paths.hpp"
#include "engine/methods/job.hpp"

namespace psflip::app {

/// How a job is run; nothing here changes its results.
struct Execution {
  std::string backend = "auto";
  int threads = 1;
  int word_bits = 0;  ///< 0: the widest of the machine
  std::filesystem::path output;
  std::optional<std::filesystem::path> checkpoint;
  std::optional<double> checkpoint_interval;  ///< seconds; by default 600, or longer where they take long
  std::optional<double> max_seconds;
  std::optional<double> max_memory;  ///< GiB that the job may take; by default the memory that is available
  bool print_memory = false;         ///< the memory of the job instead of running it
  std::optional<std::filesystem::path> gpu_lock;  ///< jobs with the same lock file simulate one after another
  std::vector<io::NamedFile> inputs;              ///< files that the job reads, which it must not write
  Ranks* ranks = &single_process();               ///< the processes that run the job together
};

inline constexpr int exit_done = 0, exit_user_error = 2, exit_again = 75;

/// Runs a job to its measurement file. Returns exit_done, or exit_again when it stopped at a checkpoint (time limit,
/// SIGTERM, SIGINT, SIGUSR1). Throws UserError.
int run_job(const Job& job, const Execution& execution);

/// Finds out before hours of work, not after, whether the output can be written; throws UserError.
void require_output(const std::filesystem::path& output);
/// The same, and that no two of the files that a job reads and writes are one file; throws UserError.
void require_files(const Execution& execution);

}  // namespace psflip::app
