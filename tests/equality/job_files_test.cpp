#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>

#include "refused.hpp"

// The files of a job: none is written over another, and a request to stop loses nothing at any time.
namespace psflip::equality {
namespace {

class JobFiles : public Refused {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  JobLine with_checkpoint(const std::string& name) const { return glass_.with("--checkpoint", path(name)); }
  /// A job that would take hours, after a start that leaves a checkpoint under this name.
  JobLine begun(const std::string& name) const {
    const JobLine endless = with_checkpoint(name).with("--L", "16").with("--sweeps", "100000000");
    EXPECT_EQ(run(endless.with("--max-seconds", "0.05").arguments(output())).exit_code, 75);
    return endless;
  }

  const JobLine glass_ = small_spin_glass();
};

/// The environment variable of SLURM that says when a job will be ended, `seconds` from now.
class SlurmEnd {
 public:
  explicit SlurmEnd(std::int64_t seconds) : SlurmEnd(std::to_string(std::time(nullptr) + seconds)) {}
  explicit SlurmEnd(const std::string& text) { setenv("SLURM_JOB_END_TIME", text.c_str(), 1); }
  SlurmEnd(const SlurmEnd&) = delete;
  SlurmEnd& operator=(const SlurmEnd&) = delete;
  ~SlurmEnd() { unsetenv("SLURM_JOB_END_TIME"); }
};

TEST_F(JobFiles, a_job_stops_with_a_checkpoint_before_slurm_ends_it) {
  const JobLine line = with_checkpoint("c.h5").with("--L", "16").with("--sweeps", "100000000");
  {
    const SlurmEnd end(3);
    const Outcome outcome = run(line.with("--max-seconds", "1e6").arguments(output()));
    EXPECT_EQ(outcome.exit_code, 75) << outcome.error_text;
  }
  EXPECT_TRUE(std::filesystem::exists(path("c.h5")));
  EXPECT_FALSE(std::filesystem::exists(output()));
  const SlurmEnd end(86400);
  EXPECT_EQ(run(line.with("--max-seconds", "0.05").arguments(output())).exit_code, 75) << "the shorter limit holds";
}

TEST_F(JobFiles, an_end_of_slurm_that_has_passed_or_is_no_number_is_no_limit) {
  for (const char* text : {"1", "0", "-5", "", "never", "12x", "99999999999999999999999"}) {
    const SlurmEnd end{std::string(text)};
    const Outcome outcome = run(with_checkpoint("c.h5").arguments(output()));
    EXPECT_EQ(outcome.exit_code, 0) << text << ": " << outcome.error_text;
  }
}

TEST_F(JobFiles, without_a_checkpoint_a_job_uses_all_the_time_that_slurm_gives) {
  const SlurmEnd end(1);
  const Outcome outcome = run(glass_.with("--L", "16").with("--sweeps", "6000").arguments(output()));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error_text;
}

TEST_F(JobFiles, an_output_that_is_a_pipe_or_a_device_is_refused_and_stays) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/null", folder_ / "null");
  for (const char* name : {"pipe", "null"}) expect_refused(glass_.arguments(folder_ / name), {"--output", "device"});
  EXPECT_TRUE(std::filesystem::is_fifo(folder_ / "pipe"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "null"));
}

TEST_F(JobFiles, a_checkpoint_that_is_a_pipe_or_a_folder_is_refused) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(folder_ / "folder");
  for (const char* name : {"pipe", "folder"}) expect_refused(with_checkpoint(name), {"--checkpoint", name});
}

TEST_F(JobFiles, a_file_of_the_user_is_not_taken_for_the_lock_of_a_checkpoint) {
  std::ofstream(folder_ / "notes.lock") << "precious";
  expect_refused(with_checkpoint("notes"), {"--checkpoint", "notes.lock is another file"});
  EXPECT_EQ(test::slurp(folder_ / "notes.lock").size(), 8U);
}

TEST_F(JobFiles, links_that_form_a_loop_are_refused) {
  std::filesystem::create_symlink("loop", output());
  std::filesystem::create_symlink("output.h5", folder_ / "loop");
  expect_refused(glass_, {"--output", "loop"});
  EXPECT_TRUE(std::filesystem::is_symlink(output()));
}

TEST_F(JobFiles, a_checkpoint_that_is_the_output_is_refused) {
  expect_refused(with_checkpoint("output.h5"), {"--checkpoint", "same file", "--output"});
  expect_refused(with_checkpoint("c").arguments(folder_ / "c.previous"), {"previous checkpoint", "--output"});
  expect_refused(with_checkpoint("c").arguments(folder_ / "c.lock"), {"lock of the checkpoint", "--output"});
}

TEST_F(JobFiles, a_file_of_turns_that_is_another_file_of_the_job_is_refused) {
  expect_refused(glass_.with("--gpu-lock", output().string()), {"--gpu-lock", "same file", "--output"});
  expect_refused(with_checkpoint("c").with("--gpu-lock", path("c")), {"--gpu-lock", "--checkpoint"});
  expect_refused(with_checkpoint("c").with("--gpu-lock", path("c.lock")), {"--gpu-lock", "lock of the checkpoint"});
}

TEST_F(JobFiles, an_output_that_is_an_input_of_the_job_is_refused_and_the_input_stays) {
  const std::string text = "[ea3d.relaxation]\nL = 6\nT = [1.1]\nsamples = \"0:8\"\nsweeps = 4\nseed = 1\n";
  std::ofstream(folder_ / "job.toml") << text;
  expect_refused({"--config", path("job.toml"), "ea3d", "relaxation", "--output", path("job.toml")},
                 {"--output", "--config"});
  const std::vector<char> now = test::slurp(folder_ / "job.toml");
  EXPECT_EQ(std::string(now.begin(), now.end()), text);
}

TEST_F(JobFiles, the_same_file_by_a_link_is_the_same_file) {
  std::ofstream(output()) << "precious";
  std::filesystem::create_symlink("output.h5", folder_ / "symbolic");
  std::filesystem::create_hard_link(output(), folder_ / "hard");
  std::filesystem::create_symlink("not-there-yet", folder_ / "dangling");
  expect_refused(with_checkpoint("symbolic"), {"--checkpoint", "--output"});
  expect_refused(with_checkpoint("hard"), {"--checkpoint", "--output"});
  expect_refused(with_checkpoint("dangling").arguments(folder_ / "not-there-yet"), {"--checkpoint", "--output"});
  expect_refused(with_checkpoint("x").with("--gpu-lock", path("./x.lock")), {"--gpu-lock", "lock of the checkpoint"});
  EXPECT_EQ(test::slurp(output()).size(), 8U);
}

TEST_F(JobFiles, an_output_that_is_a_symbolic_link_is_written_where_it_points) {
  std::filesystem::create_directory(folder_ / "disk");
  std::filesystem::create_symlink("disk/data.h5", output());
  file_of(glass_, output());
  EXPECT_TRUE(std::filesystem::is_symlink(output()));
  EXPECT_TRUE(std::filesystem::is_regular_file(folder_ / "disk" / "data.h5"));
}

TEST_F(JobFiles, a_job_named_by_a_link_to_its_checkpoint_does_not_run_twice) {
  const JobLine job = begun("c");
  std::filesystem::create_symlink("c", folder_ / "symbolic");
  std::filesystem::create_hard_link(folder_ / "c", folder_ / "hard");
  Command first(job.with("--checkpoint-interval", "1e6").arguments(output()));
  while (!std::filesystem::exists(folder_ / "c.lock") && !first.has_ended()) usleep(1000);
  for (const char* link : {"symbolic", "hard"})
    expect_refused(job.with("--checkpoint", path(link)).arguments(folder_ / "second.h5"), {"another process"});
  first.send(SIGTERM);
  EXPECT_EQ(first.wait().exit_code, 75);
}

TEST_F(JobFiles, a_signal_that_comes_before_the_job_begins_stops_it_at_a_checkpoint) {
  begun("c");
  const std::string pipe = path("job.toml");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const int signal : {SIGUSR1, SIGTERM, SIGINT}) {
    Command command({"--config", pipe, "ea3d", "relaxation", "--output", output().string(), "--checkpoint", path("c")});
    int writer = -1;  // opens as soon as the process waits for its options
    while ((writer = open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && !command.has_ended()) usleep(1000);
    ASSERT_GE(writer, 0) << command.wait().error_text;
    command.send(signal);
    const std::string text = "[ea3d.relaxation]\nL = 16\nT = [1.1, 2.5]\nsamples = \"" +
                             glass_.options.at("--samples") + "\"\nreplicas = " + glass_.options.at("--replicas") +
                             "\nseed = " + glass_.options.at("--seed") + "\nsweeps = 100000000\n";
    ASSERT_EQ(write(writer, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    close(writer);
    const Outcome outcome = command.wait();
    EXPECT_EQ(outcome.exit_code, 75) << outcome.error_text << outcome.signal;
    EXPECT_NE(outcome.error_text.find("continuing from"), std::string::npos) << outcome.error_text;
  }
}

TEST_F(JobFiles, a_second_signal_ends_a_process_that_still_waits_for_its_options) {
  ASSERT_EQ(mkfifo(path("job.toml").c_str(), 0600), 0);
  Command command({"--config", path("job.toml"), "ea3d", "relaxation", "--output", output().string()});
  int writer = -1;
  while ((writer = open(path("job.toml").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && !command.has_ended())
    usleep(1000);
  for (int sent = 0; sent < 1000 && !command.has_ended(); ++sent, usleep(1000)) command.send(SIGTERM);
  EXPECT_EQ(command.wait().signal, SIGTERM);
  close(writer);
}

}  // namespace
}  // namespace psflip::equality
