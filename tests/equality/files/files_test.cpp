#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "tests/equality/member_jobs.hpp"
#include "tests/unit/temporary_folder.hpp"

// Complete measurement files through the executable: threads, shards and restarts do not matter.
namespace psflip::equality {
namespace {

using test::TemporaryFolder;

class Files : public testing::TestWithParam<JobLine> {
 protected:
  TemporaryFolder folder_;
};

TEST_P(Files, every_word_width_and_number_of_threads_gives_the_same_data) {
  const io::LabelledFile expected = file_of(GetParam(), folder_ / "expected.h5");
  int widths = 0;
  for (const char* word_bits : {"64", "256", "512"}) {
    for (const char* threads : {"1", "2"}) {
      const JobLine job = GetParam().with("--word-bits", word_bits).with("--threads", threads);
      const Outcome outcome = run(job.arguments(folder_ / "found.h5"));
      if (outcome.error_text.find("does not have that width") != std::string::npos) continue;
      ASSERT_EQ(outcome.exit_code, 0) << outcome.error_text;
      EXPECT_TRUE(same_data(io::read(folder_ / "found.h5", "measurement"), expected)) << word_bits << ", " << threads;
      ++widths;
    }
  }
  EXPECT_GE(widths, 2);
}

/// Jobs whose samples do not know of each other.
class Shards : public Files {};

TEST_P(Shards, a_job_in_three_shards_gives_the_data_of_one) {
  const bool few = GetParam().options.at("--samples") == "29:5";
  const std::vector<const char*> pieces =
      few ? std::vector{"29:1", "30:3", "33:1"} : std::vector{"29:4", "33:41", "74:25"};
  std::vector<io::LabelledFile> shards;
  for (const char* samples : pieces)
    shards.push_back(file_of(GetParam().with("--samples", samples), folder_ / "shard.h5"));
  EXPECT_TRUE(same_data(joined(shards), file_of(GetParam(), folder_ / "whole.h5")));
}

TEST_P(Files, the_job_stored_in_a_file_makes_its_data_again) {
  const io::LabelledFile first = file_of(GetParam(), folder_ / "first.h5");
  const std::string& job = first.text("job");
  test::spill(folder_ / "job.toml", {job.begin(), job.end()});
  Arguments arguments = {"--config", (folder_ / "job.toml").string(), GetParam().model, GetParam().method};
  arguments.insert(arguments.end(), GetParam().flags.begin(), GetParam().flags.end());
  arguments.insert(arguments.end(), {"--output", (folder_ / "again.h5").string()});
  const Outcome outcome = run(arguments);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error_text;
  EXPECT_TRUE(same_data(io::read(folder_ / "again.h5", "measurement"), first));
}

TEST_P(Files, a_job_stopped_at_its_first_checkpoint_and_run_again_gives_the_same_data) {
  const JobLine job = GetParam().with("--checkpoint", (folder_ / "checkpoint.h5").string());
  const Outcome stopped = run(job.with("--max-seconds", "0").arguments(folder_ / "pieces.h5"));
  ASSERT_EQ(stopped.exit_code, 75) << stopped.error_text;
  EXPECT_TRUE(same_data(file_of(job, folder_ / "pieces.h5"), file_of(GetParam(), folder_ / "whole.h5")));
}

/// Spin glasses alone have a checkpoint that is smaller than their output, once the lattice outweighs the measurements.
TEST(FullDisk, leaves_a_spin_glass_its_last_checkpoint_from_which_it_writes_its_couplings_too) {
  const TemporaryFolder folder;
  const JobLine large = small_spin_glass().with("--L", "20");
  const JobLine job = large.with("--checkpoint", (folder / "checkpoint.h5").string());
  const io::LabelledFile expected = file_of(large, folder / "expected.h5");
  ASSERT_TRUE(expected.has_dataset("couplings"));
  const auto too_small = std::filesystem::file_size(folder / "expected.h5") * 9 / 10;
  const Arguments arguments = job.with("--checkpoint-interval", "0").arguments(folder / "found.h5");
  const Outcome outcome = run(arguments, too_small);
  ASSERT_EQ(outcome.exit_code, 2) << outcome.error_text;
  ASSERT_NE(outcome.error_lines().back().find("found.h5"), std::string::npos) << "the checkpoint was larger";
  EXPECT_FALSE(std::filesystem::exists(folder / "found.h5"));
  const Outcome again = run(arguments);
  ASSERT_EQ(again.exit_code, 0) << again.error_text;
  EXPECT_NE(again.error_text.find("at 100.0 %"), std::string::npos) << again.error_text;
  EXPECT_TRUE(same_data(io::read(folder / "found.h5", "measurement"), expected));
}

std::string name_of(const testing::TestParamInfo<JobLine>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Jobs, Files, testing::ValuesIn(small_jobs()), name_of);
INSTANTIATE_TEST_SUITE_P(Members, Files, testing::ValuesIn(member_jobs()), name_of);

std::vector<JobLine> divisible_jobs() {
  std::vector<JobLine> jobs = small_jobs();
  std::erase_if(jobs, [](const JobLine& job) { return job.options.contains("--longer"); });
  return jobs;
}

INSTANTIATE_TEST_SUITE_P(Jobs, Shards, testing::ValuesIn(divisible_jobs()), name_of);
INSTANTIATE_TEST_SUITE_P(Members, Shards, testing::ValuesIn(member_jobs()), name_of);

/// Long enough to be interrupted: seconds on any machine.
std::vector<JobLine> long_jobs() {
  return {small_spin_glass().with("--L", "8").with("--samples", "29:500").with("--sweeps", "15000"),
          small_square()
              .with("--L", "16")
              .with("--samples", "29:500")
              .with("--sweeps", "24000")
              .with("--measure-interval", "20"),
          small_random_field().with("--L", "8").with("--samples", "29:500").with("--sweeps", "2600"),
          small_random_field()
              .with("--L", "8")
              .with("--samples", "29:500")
              .with("--sweeps", "2592")
              .with("--measure-interval", "8")
              .named("rfim3d_thin"),
          small_longer().with("--L", "8").with("--samples", "0:512").with("--sweeps", "896").with("--longer", "8:4")};
}

void run_until_done(const JobLine& job, const std::filesystem::path& output) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const Outcome outcome = run(job.arguments(output));
    if (outcome.exit_code == 0) return;
    ASSERT_EQ(outcome.exit_code, 75) << outcome.error_text;
    ASSERT_FALSE(std::filesystem::exists(output));
  }
  FAIL() << "the job does not get on";
}

class Interruption : public testing::TestWithParam<JobLine> {
 protected:
  TemporaryFolder folder_;
};

TEST_P(Interruption, a_job_stopped_by_its_time_limit_and_run_again_gives_the_same_data) {
  const std::string checkpoint = (folder_ / "checkpoint.h5").string();
  const JobLine pieces = GetParam().with("--checkpoint", checkpoint).with("--max-seconds", "0.15");
  ASSERT_EQ(run(pieces.arguments(folder_ / "pieces.h5")).exit_code, 75) << "not stopped at all";
  run_until_done(pieces, folder_ / "pieces.h5");
  EXPECT_FALSE(std::filesystem::exists(checkpoint));
  EXPECT_TRUE(same_data(io::read(folder_ / "pieces.h5", "measurement"), file_of(GetParam(), folder_ / "whole.h5")));
}

/// Runs the job until it has written the checkpoint once more, then sends the signal.
Outcome stop_at_checkpoint(const Arguments& arguments, const std::filesystem::path& checkpoint, int signal) {
  std::error_code not_there;  // then the time is the earliest there is
  const auto before = std::filesystem::last_write_time(checkpoint, not_there);
  Command command(arguments);
  while (std::filesystem::last_write_time(checkpoint, not_there) == before && !command.has_ended()) usleep(1000);
  command.send(signal);
  return command.wait();
}

TEST_P(Interruption, a_job_stopped_by_signals_at_checkpoints_gives_the_same_data) {
  const std::filesystem::path checkpoint = folder_ / "checkpoint.h5";
  const JobLine job = GetParam().with("--checkpoint", checkpoint.string());
  const Arguments arguments = job.with("--checkpoint-interval", "0").arguments(folder_ / "pieces.h5");
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) {
    const Outcome stopped = stop_at_checkpoint(arguments, checkpoint, signal);
    EXPECT_EQ(stopped.exit_code, 75) << stopped.error_text;
  }
  const Outcome killed = stop_at_checkpoint(arguments, checkpoint, SIGKILL);
  EXPECT_EQ(killed.signal, SIGKILL) << killed.error_text;
  // Killed between the two renames of a new checkpoint, a job has the previous one alone.
  const std::filesystem::path previous = folder_ / "checkpoint.h5.previous";
  EXPECT_TRUE(std::filesystem::exists(checkpoint) || std::filesystem::exists(previous));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "pieces.h5"));
  run_until_done(job, folder_ / "pieces.h5");
  EXPECT_TRUE(same_data(io::read(folder_ / "pieces.h5", "measurement"), file_of(GetParam(), folder_ / "whole.h5")));
}

TEST_P(Interruption, a_damaged_checkpoint_is_refused_in_a_sentence_and_the_previous_one_gives_the_same_data) {
  const std::filesystem::path checkpoint = folder_ / "checkpoint.h5", previous = folder_ / "checkpoint.h5.previous";
  const JobLine job = GetParam().with("--checkpoint", checkpoint.string());
  const JobLine pieces = job.with("--checkpoint-interval", "0.05").with("--max-seconds", "0.2");
  ASSERT_EQ(run(pieces.arguments(folder_ / "pieces.h5")).exit_code, 75) << "not stopped at all";
  ASSERT_TRUE(std::filesystem::exists(previous));
  std::filesystem::resize_file(checkpoint, std::filesystem::file_size(checkpoint) / 2);
  const Outcome outcome = run(job.arguments(folder_ / "pieces.h5"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error_text;
  EXPECT_NE(outcome.error_text.find("Cannot use " + checkpoint.string()), std::string::npos) << outcome.error_text;
  EXPECT_NE(outcome.error_text.find("continuing from " + previous.string()), std::string::npos) << outcome.error_text;
  EXPECT_TRUE(same_data(io::read(folder_ / "pieces.h5", "measurement"), file_of(GetParam(), folder_ / "whole.h5")));
  EXPECT_FALSE(std::filesystem::exists(checkpoint) || std::filesystem::exists(previous));
}

TEST_P(Interruption, a_checkpoint_that_does_not_fit_on_the_disk_ends_in_one_sentence_and_the_one_before_is_kept) {
  const std::filesystem::path checkpoint = folder_ / "checkpoint.h5";
  const JobLine job = GetParam().with("--checkpoint", checkpoint.string());
  ASSERT_EQ(run(job.with("--max-seconds", "0.15").arguments(folder_ / "pieces.h5")).exit_code, 75);
  const std::vector<char> before = test::slurp(checkpoint);
  const JobLine often = job.with("--checkpoint-interval", "0.05");
  const Outcome outcome = run(often.arguments(folder_ / "pieces.h5"), before.size() / 2);
  EXPECT_EQ(outcome.exit_code, 2) << outcome.error_text;
  EXPECT_NE(outcome.error_lines().back().find("Cannot write " + checkpoint.string()), std::string::npos);
  EXPECT_TRUE(test::slurp(checkpoint) == before);
  EXPECT_EQ(folder_.entries(), 1U);
  run_until_done(job, folder_ / "pieces.h5");
  EXPECT_TRUE(same_data(io::read(folder_ / "pieces.h5", "measurement"), file_of(GetParam(), folder_ / "whole.h5")));
}

/// As checkpoints were written before their spins were broken into rows.
TEST(Checkpoint, with_all_spins_in_one_compressed_row_is_continued_to_the_same_data) {
  const TemporaryFolder folder;
  const std::filesystem::path checkpoint = folder / "checkpoint.h5";
  for (const JobLine& plain : {small_spin_glass(), small_random_field()}) {
    const JobLine job = plain.with("--checkpoint", checkpoint.string());
    ASSERT_EQ(run(job.with("--max-seconds", "0").arguments(folder / "found.h5")).exit_code, 75);
    io::LabelledFile file = io::read(checkpoint, "checkpoint");
    for (io::Dataset& dataset : file.datasets) {
      if (dataset.name != "checkpoint_spins") continue;
      ASSERT_EQ(dataset.axes.size(), 2U);
      dataset.axes = {"one"};
      file.axes.push_back({"one", std::vector<std::int64_t>(io::size(dataset.values)), "1", ""});
    }
    io::write(checkpoint, file);
    const Outcome outcome = run(job.arguments(folder / "found.h5"));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error_text;
    EXPECT_NE(outcome.error_text.find("continuing from"), std::string::npos) << outcome.error_text;
    EXPECT_TRUE(same_data(io::read(folder / "found.h5", "measurement"), file_of(plain, folder / "whole.h5")));
  }
}

INSTANTIATE_TEST_SUITE_P(Jobs, Interruption, testing::ValuesIn(long_jobs()), name_of);

}  // namespace
}  // namespace psflip::equality
