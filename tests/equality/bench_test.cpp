#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tests/unit/temporary_folder.hpp"

// `psflip bench` from outside. Measured speeds are not tested here.
namespace psflip::equality {
namespace {

class Bench : public testing::Test {
 protected:
  Outcome bench(Arguments options) {
    Arguments arguments = {"bench", "--backend", "cpu", "--threads", "1", "--runs", "1", "--output", output()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(arguments);
  }
  std::string output() const { return (folder_ / "bench.json").string(); }

  test::TemporaryFolder folder_;
};

TEST_F(Bench, a_filter_times_the_jobs_of_that_name) {
  const Outcome outcome = bench({"--filter", "ea3d-shared-L16"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error_text;
  const auto jobs = nlohmann::json::parse(std::ifstream(output()));
  ASSERT_EQ(jobs.size(), 1U);
  for (const char* key : {"model", "mode", "backend", "device", "L", "samples", "replicas", "threads", "ps_per_flip",
                          "runs", "seconds_updates_share", "start_up_seconds", "git_commit"}) {
    EXPECT_TRUE(jobs[0].contains(key)) << key;
  }
  EXPECT_EQ(jobs[0]["name"], "ea3d-shared-L16");
  EXPECT_EQ(jobs[0]["runs"].size(), 1U);
  EXPECT_GT(jobs[0]["ps_per_flip"], jobs[0]["ps_per_flip_updates"]);
}

TEST_F(Bench, a_random_field_other_than_J_is_a_job_of_its_own) {
  const Outcome outcome = bench({"--filter", "rfim3d-independent-h0.5"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error_text;
  const auto jobs = nlohmann::json::parse(std::ifstream(output()));
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0]["name"], "rfim3d-independent-h0.5-L8");
  EXPECT_EQ(jobs[0]["h"], 0.5);
  EXPECT_EQ(jobs[0]["J"], 1.0);
  EXPECT_EQ(jobs[0]["slots"], 24);
}

TEST_F(Bench, another_method_or_interval_of_sums_is_a_job_of_its_own) {
  const Outcome outcome = bench({"--filter", "ea3d-tempering-shared-sums10-L8"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error_text;
  const auto jobs = nlohmann::json::parse(std::ifstream(output()));
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0]["name"], "ea3d-tempering-shared-sums10-L8");
  EXPECT_EQ(jobs[0]["method"], "tempering");
  EXPECT_EQ(jobs[0]["slots"], 24);
  EXPECT_EQ(jobs[0]["replicas"], 4);
  EXPECT_EQ(jobs[0]["exchange_interval"], 10);
  EXPECT_EQ(jobs[0]["measure_interval"], 100);
}

TEST_F(Bench, a_filter_that_fits_no_job_is_refused_with_the_nearest_name) {
  const Outcome outcome = bench({"--filter", "ea3d-sharde-L16"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error_text.find("did you mean ea3d-shared-L16?"), std::string::npos) << outcome.error_text;
  EXPECT_EQ(folder_.entries(), 0U);
}

TEST_F(Bench, an_unknown_backend_is_refused) {
  const Outcome outcome = run({"bench", "--backend", "gpu", "--output", output()});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error_text.find("--backend"), std::string::npos) << outcome.error_text;
  EXPECT_EQ(folder_.entries(), 0U);
}

}  // namespace
}  // namespace psflip::equality
