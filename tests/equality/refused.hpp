#pragma once
#include <gtest/gtest.h>

#include "jobs.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace psflip::equality {

/// A folder for jobs that must be refused: exit code 2, one line on stderr that names the culprit, no file left behind.
class Refused : public testing::Test {
 protected:
  /// The line on stderr contains every one of `words`.
  void expect_refused(const Arguments& arguments, const std::vector<std::string>& words) {
    const std::size_t entries_before = folder_.entries();
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.error_text;
    EXPECT_EQ(outcome.error_lines().size(), 1U) << outcome.error_text;
    for (const std::string& word : words) {
      EXPECT_NE(outcome.error_text.find(word), std::string::npos)
          << "'" << word << "' is missing in: " << outcome.error_text;
    }
    EXPECT_EQ(folder_.entries(), entries_before) << "a file is left behind";
  }

  void expect_refused(const JobLine& job, const std::vector<std::string>& words) {
    expect_refused(job.arguments(output()), words);
  }

  /// `job` does not continue the checkpoint that `other`, a job of a second or more, leaves.
  void expect_checkpoint_refused(const JobLine& other, const JobLine& job) {
    const std::string checkpoint = (folder_ / "checkpoint.h5").string();
    const JobLine stopped = other.with("--checkpoint", checkpoint).with("--max-seconds", "0.05");
    ASSERT_EQ(run(stopped.arguments(output())).exit_code, 75);
    const Outcome outcome = run(job.with("--checkpoint", checkpoint).arguments(output()));
    EXPECT_EQ(outcome.exit_code, 2) << outcome.error_text;
    EXPECT_NE(outcome.error_text.find("checkpoint.h5"), std::string::npos) << outcome.error_text;
    EXPECT_FALSE(std::filesystem::exists(output()));
  }

  std::filesystem::path output() const { return folder_ / "output.h5"; }

  test::TemporaryFolder folder_;
};

}  // namespace psflip::equality
