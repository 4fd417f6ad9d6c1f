#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "mpirun.hpp"
#include "tests/unit/temporary_folder.hpp"

// psflip-lab exchange under mpirun. Measured times are not tested.
namespace psflip::equality {
namespace {

class LaboratoryOnRanks : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string(PSFLIP_MPIRUN).empty()) GTEST_SKIP() << "this build has no MPI, or there is no mpirun";
  }

  Outcome outcome_on(int ranks, Arguments arguments, const std::string& output = "page.json") {
    arguments.insert(arguments.end(), {"--output", (folder_ / output).string()});
    return run_on(ranks, arguments);
  }
  nlohmann::json page_on(int ranks, const Arguments& arguments) {
    const Outcome outcome = outcome_on(ranks, arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error_text;
    return outcome.exit_code == 0 ? nlohmann::json::parse(std::ifstream(folder_ / "page.json")) : nlohmann::json();
  }
  void expect_refused(const Outcome& outcome, const std::string& words) {
    equality::expect_refused(outcome, words, folder_);
  }

  test::TemporaryFolder folder_;
};

/// The command compares the spins itself; its page says with which programs they agree.
TEST_F(LaboratoryOnRanks, messages_in_one_direction_give_equal_bits_on_two_three_and_four_ranks) {
  const nlohmann::json equal = {"one rank", "scalar", "psflip"};
  for (const int ranks : {2, 3, 4}) {
    const nlohmann::json all = page_on(ranks, {"exchange", "--L", "24", "--packs", "2", "--seconds", "0.001"});
    ASSERT_EQ(all.at("table").size(), 3U);
    for (const nlohmann::json& row : all.at("table")) {
      if (row.at("variant") == "scalar") continue;
      EXPECT_EQ(row.at("equal_bits"), equal);
      EXPECT_EQ(row.at("ranks"), ranks);
      EXPECT_EQ(row.at("flips"), 24 * 24 * 24 * 64 * 4);
    }
  }
}

/// Words of psflip have 64 bits or more, so that two packs fill one at least.
TEST_F(LaboratoryOnRanks, messages_in_one_direction_are_half_as_many_and_have_the_same_bytes_together) {
  const nlohmann::json all = page_on(2, {"exchange", "--L", "4,8", "--packs", "16", "--seconds", "0.001"});
  ASSERT_EQ(all.at("table").size(), 6U);
  for (const int i : {0, 3}) {
    const nlohmann::json &one = all.at("table")[i + 1], &two = all.at("table")[i + 2];
    const int L = one.at("L");
    ASSERT_EQ(one.at("variant"), "one_way");
    ASSERT_EQ(two.at("variant"), "two_way");
    EXPECT_EQ(one.at("messages_of_half_sweep"), 1);
    EXPECT_EQ(one.at("bytes_of_half_sweep"), L * L * 4 * 4 * 16);
    EXPECT_EQ(two.at("bytes_of_half_sweep"), L * L * 4 * 4 * 16);
    const double messages = two.at("messages_of_half_sweep");
    EXPECT_GE(messages, 2);  // for each word of samples
    EXPECT_EQ(messages, 2 * std::round(messages / 2));
  }
}

/// The layout sliced has no such time.
TEST_F(LaboratoryOnRanks, slabs_of_psflip_are_also_timed_without_neighbours) {
  const nlohmann::json all = page_on(2, {"exchange", "--L", "8", "--packs", "16", "--seconds", "0.001"});
  for (const nlohmann::json& row : all.at("table"))
    EXPECT_EQ(row.contains("seconds_without_neighbours"), row.at("variant") == "two_way");
  EXPECT_GT(all.at("table")[2].at("seconds_without_neighbours"), 0.0);
}

TEST_F(LaboratoryOnRanks, lattices_that_the_ranks_cannot_share_are_refused) {
  expect_refused(outcome_on(3, {"exchange", "--L", "8"}), "multiple of 6");
  expect_refused(outcome_on(4, {"exchange", "--L", "6"}), "use mpirun -n 3");
  expect_refused(outcome_on(2, {"exchange", "--L", "7"}), "--L 7");
  expect_refused(outcome_on(2, {"exchange", "--L", "0"}), "--L 0");
  expect_refused(outcome_on(2, {"exchange", "--L", "65536"}), "GiB");
}

TEST_F(LaboratoryOnRanks, options_and_files_that_do_not_fit_are_refused) {
  expect_refused(outcome_on(2, {"exchange", "--packs", "0"}), "--packs 0");
  expect_refused(outcome_on(2, {"exchange", "--beta", "-1"}), "--beta -1");
  expect_refused(outcome_on(2, {"exchange", "--seconds", "0"}), "--seconds 0");
  expect_refused(outcome_on(2, {"exchange", "--size", "8"}), "--size");
  expect_refused(outcome_on(2, {"exchange", "--device", "gpu"}), "--device gpu");
  expect_refused(outcome_on(2, {"exchange"}, "none/page.json"), "--output");
}

TEST_F(LaboratoryOnRanks, other_commands_are_refused) {
  expect_refused(outcome_on(2, {"reference"}), "leave mpirun out");
}

TEST_F(LaboratoryOnRanks, one_process_is_refused) {
  expect_refused(outcome_on(0, {"exchange"}), "use mpirun -n 2");
  expect_refused(outcome_on(1, {"exchange"}), "use mpirun -n 2");
}

}  // namespace
}  // namespace psflip::equality
