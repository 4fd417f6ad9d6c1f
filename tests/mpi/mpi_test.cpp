#include <unistd.h>

#include <csignal>
#include <fstream>

#include "on_ranks.hpp"
#include "tests/equality/member_jobs.hpp"

// The executable under mpirun: however many ranks, it is the same job.
namespace psflip::equality {
namespace {

using SmallJobs = OnRanks;

TEST_P(SmallJobs, one_to_four_ranks_give_the_data_of_one_process) {
  const io::LabelledFile expected = file_on(0, GetParam());
  for (int ranks = 1; ranks <= 4; ++ranks)
    EXPECT_TRUE(same_data(file_on(ranks, GetParam()), expected)) << ranks << " ranks";
}

TEST_P(SmallJobs, checkpoints_of_four_one_and_three_processes_are_continued_by_each_other) {
  expect_continued({{4, "cpu"}, {0, "cpu"}, {3, "cpu"}, {0, "cpu"}}, {2, "cpu"});
}

INSTANTIATE_TEST_SUITE_P(Mpi, SmallJobs, testing::ValuesIn(small_jobs()), name_of);
INSTANTIATE_TEST_SUITE_P(Members, SmallJobs, testing::ValuesIn(member_jobs()), name_of);

/// Jobs that save disorder, read again.
class OwnSamples : public OnRanks {};

TEST_P(OwnSamples, give_the_data_of_one_process_on_two_and_three_ranks) {
  const std::string saved = (folder_ / "saved.h5").string();
  const Outcome outcome = run(GetParam().arguments(saved));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error_text;
  const JobLine job = GetParam().with("--disorder", saved);
  for (const int ranks : {2, 3})
    EXPECT_TRUE(same_data(file_on(ranks, job), io::read(saved, "measurement"))) << ranks << " ranks";
}

TEST_P(OwnSamples, are_refused_in_one_sentence_when_the_file_does_not_have_them) {
  const std::string saved = (folder_ / "saved.h5").string();
  ASSERT_EQ(run(GetParam().arguments(saved)).exit_code, 0);
  const JobLine job = GetParam().with("--disorder", saved).with("--samples", "0:8");
  const Outcome outcome = run_on(3, job.arguments(folder_ / "output.h5"));
  std::filesystem::remove(saved);
  expect_refused(outcome, "does not hold all samples 0:8");
}

INSTANTIATE_TEST_SUITE_P(Mpi, OwnSamples,
                         testing::Values(small_spin_glass(), small_random_field(), small_longer_spin_glass()), name_of);

/// A job that runs until it is stopped.
class LongJob : public OnRanks {
 protected:
  std::filesystem::path checkpoint() const { return folder_ / "checkpoint.h5"; }
  JobLine checkpointed() const { return GetParam().with("--checkpoint", checkpoint().string()); }

  /// Until the job, which writes its checkpoint as often as it can, has written the first one.
  void wait_for_checkpoint(Command& command) const {
    while (!std::filesystem::exists(checkpoint()) && !command.has_ended()) usleep(1000);
  }
};

/// Processes that `launcher` has started: its ranks.
std::vector<pid_t> ranks_of(pid_t launcher) {
  std::ifstream children("/proc/" + std::to_string(launcher) + "/task/" + std::to_string(launcher) + "/children");
  std::vector<pid_t> all;
  for (pid_t child = 0; children >> child;) all.push_back(child);
  return all;
}

/// Not so a zombie whose exit code was not read.
bool lives(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  return stat >> number >> name >> state && state != "Z";
}

/// A rank may end a moment after mpirun.
bool lives_on(pid_t process) {
  for (int tries = 0; tries < 300 && lives(process); ++tries) usleep(100'000);
  return lives(process);
}

TEST_P(LongJob, ends_with_an_error_and_without_output_when_a_rank_is_killed) {
  for (const std::size_t victim : {0U, 2U}) {
    std::filesystem::remove(checkpoint());
    const JobLine job = checkpointed().with("--checkpoint-interval", "0");
    Command command(job.arguments(folder_ / "output.h5"), 0, mpirun(3));
    wait_for_checkpoint(command);
    const std::vector<pid_t> ranks = ranks_of(command.pid());
    ASSERT_EQ(ranks.size(), 3U);
    kill(ranks[victim], SIGKILL);
    const Outcome outcome = command.wait();
    EXPECT_NE(outcome.exit_code, 0) << outcome.error_text;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "output.h5"));
    for (const pid_t rank : ranks) EXPECT_FALSE(lives_on(rank)) << "a rank lives on";
  }
}

TEST_P(LongJob, stops_at_a_checkpoint_on_all_ranks_when_one_is_told_to_stop) {
  Command command(checkpointed().with("--checkpoint-interval", "0").arguments(folder_ / "output.h5"), 0, mpirun(3));
  wait_for_checkpoint(command);
  const std::vector<pid_t> ranks = ranks_of(command.pid());
  ASSERT_EQ(ranks.size(), 3U);
  kill(ranks[1], SIGTERM);
  const Outcome outcome = command.wait();
  EXPECT_EQ(outcome.exit_code, 75) << outcome.error_text;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "output.h5"));
}

TEST_P(LongJob, stops_at_a_checkpoint_when_mpirun_is_sent_sigusr1) {
  Command command(checkpointed().with("--checkpoint-interval", "0").arguments(folder_ / "output.h5"), 0, mpirun(2));
  wait_for_checkpoint(command);
  command.send(SIGUSR1);
  const Outcome outcome = command.wait();
  EXPECT_EQ(outcome.exit_code, 75) << outcome.error_text;
}

/// The time that mpirun gives its ranks before it kills them, which docs/mpi.md says how to choose.
TEST_P(LongJob, stops_at_a_checkpoint_when_mpirun_is_ended_and_gives_its_ranks_time_for_it) {
  Arguments launcher = mpirun(2);
  launcher.insert(launcher.begin() + 1, {"--mca", "odls_base_sigkill_timeout", "10"});
  Command command(checkpointed().with("--checkpoint-interval", "0").arguments(folder_ / "output.h5"), 0, launcher);
  wait_for_checkpoint(command);
  command.send(SIGTERM);
  const Outcome outcome = command.wait();
  EXPECT_NE(outcome.exit_code, 0) << outcome.error_text;
  EXPECT_NE(outcome.error_text.find("stopped at"), std::string::npos) << outcome.error_text;
  EXPECT_EQ(io::read(checkpoint(), "checkpoint").text("kind"), "checkpoint");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "output.h5"));
}

TEST_P(LongJob, ends_all_ranks_with_one_sentence_when_rank_0_cannot_go_on) {
  const std::filesystem::path folder = folder_ / "goes_away";
  std::filesystem::create_directory(folder);
  const std::string lost = (folder / "checkpoint.h5").string();
  const JobLine job = GetParam().with("--checkpoint", lost).with("--checkpoint-interval", "0");
  Command command(job.arguments(folder_ / "output.h5"), 0, mpirun(3));
  while (!std::filesystem::exists(lost) && !command.has_ended()) usleep(1000);
  std::filesystem::rename(folder, folder_ / "gone");
  const Outcome outcome = command.wait();
  std::filesystem::remove_all(folder_ / "gone");
  expect_refused(outcome, "does not exist");
}

TEST_P(LongJob, is_refused_in_one_sentence_on_more_ranks_than_planes) {
  expect_refused(run_on(9, GetParam().arguments(folder_ / "output.h5")), "use mpirun -n 8");
}

TEST_P(LongJob, is_refused_in_one_sentence_when_all_ranks_find_the_same_mistake) {
  expect_refused(run_on(3, GetParam().with("--L", "7").arguments(folder_ / "output.h5")), "--L 7");
}

INSTANTIATE_TEST_SUITE_P(Mpi, LongJob,
                         testing::Values(small_spin_glass().with("--L", "8").with("--sweeps", "10000000")), name_of);

class OtherCommands : public OnRanks {};

TEST_P(OtherCommands, make_the_same_grid_on_three_ranks) {
  const nlohmann::json expected = grid_on(0, GetParam(), {"--T", "3.4,4.6"});
  EXPECT_EQ(expected.at("trials").size(), 2U);
  EXPECT_EQ(grid_on(3, GetParam(), {"--T", "3.4,4.6"}), expected);
}

TEST_P(OtherCommands, are_refused_where_more_ranks_than_slots_or_a_benchmark_is_asked_for) {
  expect_refused(run_on(5, small_random_field().arguments(folder_ / "output.h5")), "use mpirun -n 4");
  expect_refused(run_on(2, {"bench", "--output", (folder_ / "output.json").string()}), "leave mpirun out");
}

INSTANTIATE_TEST_SUITE_P(Mpi, OtherCommands, testing::Values(small_random_field()), name_of);

}  // namespace
}  // namespace psflip::equality
