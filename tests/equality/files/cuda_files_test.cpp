#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "engine/cuda/cuda.hpp"
#include "tests/equality/member_jobs.hpp"
#include "tests/unit/temporary_folder.hpp"

// Complete files through the executable on a GPU: those of the CPU, also when a job changes between the two.
namespace psflip::equality {
namespace {

using test::TemporaryFolder;

class CudaFiles : public testing::TestWithParam<JobLine> {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "no GPU on this machine";
  }
  io::LabelledFile on(const char* backend) {
    return file_of(GetParam().with("--backend", backend), folder_ / (std::string(backend) + ".h5"));
  }
  TemporaryFolder folder_;
};

std::string name_of(const testing::TestParamInfo<JobLine>& info) { return info.param.name; }

TEST_P(CudaFiles, are_those_of_the_cpu) {
  const io::LabelledFile found = on("cuda");
  EXPECT_EQ(found.text("backend"), "cuda");
  EXPECT_TRUE(same_data(found, on("cpu")));
}

TEST_P(CudaFiles, stopped_at_their_first_checkpoint_are_continued_on_the_other_backend_to_the_same_data) {
  const io::LabelledFile whole = on("cpu");
  const JobLine job = GetParam().with("--checkpoint", (folder_ / "checkpoint.h5").string());
  for (const auto& [first, second] : {std::pair("cuda", "cpu"), std::pair("cpu", "cuda")}) {
    const std::filesystem::path output = folder_ / (std::string(first) + "_first.h5");
    const Outcome stopped = run(job.with("--max-seconds", "0").with("--backend", first).arguments(output));
    ASSERT_EQ(stopped.exit_code, 75) << "not stopped on " << first << ": " << stopped.error_text;
    ASSERT_FALSE(std::filesystem::exists(output));
    EXPECT_TRUE(same_data(file_of(job.with("--backend", second), output), whole)) << first << ", then " << second;
  }
}

INSTANTIATE_TEST_SUITE_P(Jobs, CudaFiles, testing::ValuesIn(small_jobs()), name_of);
INSTANTIATE_TEST_SUITE_P(Members, CudaFiles, testing::ValuesIn(member_jobs()), name_of);

/// Many rounds of small systems: long enough to be stopped on a GPU, where a round is never free, and short on a CPU.
class CudaInterruption : public CudaFiles {};

/// Whether the job has reached the point of its stop: a job with extended runs among them, others once they have a
/// checkpoint.
bool far_enough(const JobLine& job, const std::filesystem::path& checkpoint) {
  if (!job.options.contains("--longer")) return std::filesystem::exists(checkpoint);
  try {
    return io::read(checkpoint, "checkpoint").has_dataset("checkpoint_packs");
  } catch (const std::exception&) {  // none yet, or one is replaced by the next
    return false;
  }
}

/// Runs the job until its checkpoint is far enough, then stops it.
Outcome stop_at_checkpoint(const JobLine& job, const std::filesystem::path& checkpoint,
                           const std::filesystem::path& output) {
  Command command(job.with("--checkpoint-interval", "0").arguments(output));
  while (!far_enough(job, checkpoint) && !command.has_ended()) usleep(200);
  command.send(SIGTERM);
  return command.wait();
}

TEST_P(CudaInterruption, a_job_stopped_on_one_backend_goes_on_on_the_other_and_gives_the_same_file) {
  const io::LabelledFile whole = on("cpu");
  for (const auto& [first, second] : {std::pair("cuda", "cpu"), std::pair("cpu", "cuda")}) {
    const std::filesystem::path checkpoint = folder_ / "checkpoint.h5", output = folder_ / "pieces.h5";
    const JobLine job = GetParam().with("--checkpoint", checkpoint.string());
    const Outcome stopped = stop_at_checkpoint(job.with("--backend", first), checkpoint, output);
    ASSERT_EQ(stopped.exit_code, 75) << "not stopped on " << first << ": " << stopped.error_text;
    ASSERT_TRUE(std::filesystem::exists(checkpoint));
    ASSERT_FALSE(std::filesystem::exists(output));
    const io::LabelledFile pieces = file_of(job.with("--backend", second), output);
    EXPECT_EQ(pieces.text("backend"), second);
    EXPECT_TRUE(same_data(pieces, whole)) << first << ", then " << second;
    std::filesystem::remove(output);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Jobs, CudaInterruption,
    testing::Values(
        small_random_field().with("--sweeps", "10000"),
        small_random_field().named("rfim3d_strong_field").with("--L", "8").with("--h", "2.5").with("--sweeps", "6000"),
        small_longer().with("--sweeps", "320").with("--longer", "2:64")),
    name_of);

}  // namespace
}  // namespace psflip::equality
