#pragma once
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "mpirun.hpp"
#include "tests/equality/jobs.hpp"
#include "tests/unit/temporary_folder.hpp"

/// Jobs of the executable under mpirun.
namespace psflip::equality {

class OnRanks : public testing::TestWithParam<JobLine> {
 protected:
  void SetUp() override {
    if (std::string(PSFLIP_MPIRUN).empty()) GTEST_SKIP() << "this build has no MPI, or there is no mpirun";
  }

  io::LabelledFile file_on(int ranks, const JobLine& job) {
    const Outcome outcome = run_on(ranks, job.arguments(folder_ / "file.h5"));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error_text;
    return io::read(folder_ / "file.h5", "measurement");
  }

  struct Stage {
    int ranks;
    const char* backend;
  };

  /// Each stage stops at its next checkpoint, one sweep or one round later, and leaves no measurement file. `last` ends
  /// with the data of one process on a CPU.
  void expect_continued(const std::vector<Stage>& stages, const Stage& last) {
    const io::LabelledFile expected = file_on(0, GetParam().with("--backend", "cpu"));
    const JobLine job = GetParam().with("--checkpoint", (folder_ / "checkpoint.h5").string());
    std::filesystem::remove(folder_ / "file.h5");
    for (const Stage& stage : stages) {
      const JobLine one_step = job.with("--max-seconds", "0").with("--backend", stage.backend);
      const Outcome outcome = run_on(stage.ranks, one_step.arguments(folder_ / "file.h5"));
      ASSERT_EQ(outcome.exit_code, 75) << stage.ranks << " ranks, " << stage.backend << ": " << outcome.error_text;
      EXPECT_TRUE(complaints(outcome).empty()) << outcome.error_text;
      EXPECT_FALSE(std::filesystem::exists(folder_ / "file.h5"));
    }
    EXPECT_TRUE(same_data(file_on(last.ranks, job.with("--backend", last.backend)), expected));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "checkpoint.h5"));
  }

  /// What `psflip rfim3d adapt` writes for the lattices and samples of a job, except the date.
  nlohmann::json grid_on(int ranks, const JobLine& job, const Arguments& more) {
    Arguments line = {"rfim3d", "adapt", "--slots", "4", "--sweeps", "200", "--trials", "1", "--insertions", "1"};
    for (const char* option : {"--L", "--h", "--samples", "--seed"})
      line.insert(line.end(), {option, job.options.at(option)});
    line.insert(line.end(), more.begin(), more.end());
    line.insert(line.end(), {"--output", (folder_ / "grid.json").string()});
    const Outcome outcome = run_on(ranks, line);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error_text;
    nlohmann::json grid = nlohmann::json::parse(test::slurp(folder_ / "grid.json"));
    grid.erase("created");
    return grid;
  }

  void expect_refused(const Outcome& outcome, const std::string& words) {
    equality::expect_refused(outcome, words, folder_);
  }

  test::TemporaryFolder folder_;
};

inline std::string name_of(const testing::TestParamInfo<JobLine>& info) { return info.param.name; }

}  // namespace psflip::equality
