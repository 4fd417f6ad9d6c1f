#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "jobs.hpp"
#include "tests/unit/temporary_folder.hpp"

// Jobs with one GPU lock: only one of them simulates at a time.
namespace psflip::equality {
namespace {

using test::TemporaryFolder;

class GpuLocks : public testing::Test {
 protected:
  GpuLocks() {
    test::spill(file_, {});
    // Under another name: a process that has not begun yet has the descriptors of this one.
    std::filesystem::create_hard_link(file_, folder_ / "held");
    held_ = open((folder_ / "held").c_str(), O_RDWR | O_CLOEXEC);
    if (flock(held_, LOCK_EX) != 0) ADD_FAILURE() << "no lock";
  }
  ~GpuLocks() override { close(held_); }

  JobLine job() const { return small_spin_glass().with("--gpu-lock", file_.string()); }
  /// Until the process has opened the lock file, or has ended.
  void await_queue(Command& command) const {
    while (!command.has_ended()) {
      std::error_code error;  // descriptors come and go
      for (const auto& entry :
           std::filesystem::directory_iterator("/proc/" + std::to_string(command.pid()) + "/fd", error))
        if (std::filesystem::read_symlink(entry.path(), error) == file_) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  /// Long enough for the full job, which takes milliseconds, if nothing delays it.
  static void give_time() { std::this_thread::sleep_for(std::chrono::milliseconds(300)); }

  TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_ / "gpu.lock";
  int held_ = -1;
};

TEST_F(GpuLocks, a_job_does_not_simulate_while_another_has_the_lock_and_gives_the_same_data_afterwards) {
  const io::LabelledFile expected = file_of(small_spin_glass(), folder_ / "expected.h5");
  Command command(
      job().with("--max-seconds", "1e6").with("--checkpoint", folder_ / "c.h5").arguments(folder_ / "found.h5"));
  await_queue(command);
  give_time();
  EXPECT_FALSE(command.has_ended());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "found.h5"));
  flock(held_, LOCK_UN);
  const Outcome outcome = command.wait();
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error_text;
  EXPECT_TRUE(same_data(io::read(folder_ / "found.h5", "measurement"), expected));
  EXPECT_EQ(flock(held_, LOCK_EX | LOCK_NB), 0) << "the lock is free";
}

TEST_F(GpuLocks, a_signal_ends_the_wait_and_the_job_can_go_on) {
  const JobLine kept = job().with("--checkpoint", folder_ / "c.h5");
  Command command(kept.arguments(folder_ / "found.h5"));
  await_queue(command);
  give_time();
  command.send(SIGTERM);
  const Outcome outcome = command.wait();
  EXPECT_EQ(outcome.exit_code, 75) << outcome.error_text;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "c.h5"));
  flock(held_, LOCK_UN);
  EXPECT_EQ(run(kept.arguments(folder_ / "found.h5")).exit_code, 0);
}

TEST_F(GpuLocks, the_time_limit_ends_the_wait_too) {
  const JobLine kept = job().with("--checkpoint", folder_ / "c.h5");
  const Outcome outcome = run(kept.with("--max-seconds", "0.1").arguments(folder_ / "found.h5"));
  EXPECT_EQ(outcome.exit_code, 75) << outcome.error_text;
  EXPECT_NE(outcome.error_text.find("waiting for the GPU lock " + file_.string()), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "c.h5"));
}

TEST_F(GpuLocks, a_file_that_cannot_be_made_is_refused) {
  const Outcome outcome =
      run(small_spin_glass().with("--gpu-lock", "/no/such/folder/turns").arguments(folder_ / "found.h5"));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error_text.find("--gpu-lock /no/such/folder/turns: cannot be written"), std::string::npos)
      << outcome.error_text;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "found.h5"));
}

}  // namespace
}  // namespace psflip::equality
