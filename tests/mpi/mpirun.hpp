#pragma once
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/equality/command.hpp"
#include "tests/unit/temporary_folder.hpp"

/// The executable under mpirun.
namespace psflip::equality {

#ifndef PSFLIP_MPIRUN
#define PSFLIP_MPIRUN ""
#endif

/// A folder for the files of mpirun, of this process alone. Open MPI removes its usual folder in /tmp when a job ends,
/// even while another mpirun creates a folder in it, which then fails. The path is short, as those of sockets must be.
class SessionFolder {
 public:
  SessionFolder() : path_(std::filesystem::temp_directory_path() / ("mpi-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  SessionFolder(const SessionFolder&) = delete;
  SessionFolder& operator=(const SessionFolder&) = delete;
  ~SessionFolder() { std::filesystem::remove_all(path_); }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Four ranks on any machine, by any user, in any container.
inline Arguments mpirun(int ranks) {
  static const SessionFolder sessions;
  setenv("OMPI_MCA_orte_tmpdir_base", sessions.path().c_str(), 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  setenv("OMPI_MCA_btl", "self,vader", 1);
  setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
  return {PSFLIP_MPIRUN, "--oversubscribe", "--bind-to", "none", "-n", std::to_string(ranks)};
}

inline Outcome run_on(int ranks, const Arguments& arguments) {
  return ranks == 0 ? run(arguments) : Command(arguments, 0, mpirun(ranks)).wait();
}

/// What psflip itself says of an error; mpirun adds its own lines.
inline Arguments complaints(const Outcome& outcome) {
  Arguments lines = outcome.error_lines();
  std::erase_if(lines,
                [](const std::string& line) { return line.find("psflip: ") != 0 && line.find("psflip-lab: ") != 0; });
  return lines;
}

/// Exit code 2, one sentence that holds `words`, and nothing in the folder of the output.
inline void expect_refused(const Outcome& outcome, const std::string& words, const test::TemporaryFolder& folder) {
  EXPECT_EQ(outcome.exit_code, 2) << outcome.error_text;
  ASSERT_EQ(complaints(outcome).size(), 1U) << outcome.error_text;
  EXPECT_NE(complaints(outcome)[0].find(words), std::string::npos) << outcome.error_text;
  EXPECT_TRUE(folder.empty()) << "a file is left behind";
}

}  // namespace psflip::equality
