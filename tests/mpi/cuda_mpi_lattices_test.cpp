#include "engine/cuda/cuda.hpp"
#include "on_ranks.hpp"

// Lattices spread over the GPUs of this machine by mpirun: one for each rank, or several ranks on each.
namespace psflip::equality {
namespace {

class CudaLattices : public OnRanks {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "no GPU on this machine";
    OnRanks::SetUp();
  }
};

TEST_P(CudaLattices, on_one_to_four_ranks_give_the_data_of_one_process_on_a_cpu) {
  const io::LabelledFile expected = file_on(0, GetParam().with("--backend", "cpu"));
  for (int ranks = 1; ranks <= 4; ++ranks) {
    const io::LabelledFile found = file_on(ranks, GetParam().with("--backend", "cuda"));
    EXPECT_EQ(found.text("backend"), "cuda");
    EXPECT_TRUE(same_data(found, expected)) << ranks << " ranks";
    if (ranks > 1) std::printf("%d ranks: planes travel by %s\n", ranks, found.text("halo").c_str());
  }
}

TEST_P(CudaLattices, give_the_same_data_when_planes_go_through_the_host) {
  setenv("PSFLIP_HALO", "host", 1);  // mpirun hands it on to ranks on this machine
  const io::LabelledFile found = file_on(3, GetParam().with("--backend", "cuda"));
  unsetenv("PSFLIP_HALO");
  EXPECT_EQ(found.text("halo"), "host");
  EXPECT_TRUE(same_data(found, file_on(0, GetParam().with("--backend", "cpu"))));
}

TEST_P(CudaLattices, take_gpus_when_nothing_is_said_of_them) {
  EXPECT_EQ(file_on(2, GetParam()).text("backend"), "cuda");
}

struct Stage {
  int ranks;
  const char* backend;
};

TEST_P(CudaLattices, continue_checkpoints_of_other_ranks_of_one_gpu_and_of_cpus) {
  const io::LabelledFile expected = file_on(0, GetParam().with("--backend", "cpu"));
  const JobLine job = GetParam().with("--checkpoint", (folder_ / "checkpoint.h5").string());
  std::filesystem::remove(folder_ / "file.h5");
  for (const Stage& stage : {Stage{4, "cuda"}, {0, "cuda"}, {3, "cuda"}, {2, "cpu"}, {2, "cuda"}, {0, "cpu"}}) {
    const JobLine one_sweep = job.with("--max-seconds", "0").with("--backend", stage.backend);
    const Outcome outcome = run_on(stage.ranks, one_sweep.arguments(folder_ / "file.h5"));
    ASSERT_EQ(outcome.exit_code, 75) << stage.ranks << " ranks, " << stage.backend << ": " << outcome.error_text;
    EXPECT_TRUE(complaints(outcome).empty()) << outcome.error_text;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "file.h5"));
  }
  EXPECT_TRUE(same_data(file_on(3, job.with("--backend", "cuda")), expected));
}

/// What psflip says on two ranks of which those that `condition` is true of, a test of the shell, see no GPU.
Outcome on_ranks_without_gpu(const std::string& condition, const Arguments& arguments) {
  Arguments launcher = mpirun(2);
  const std::string blind = "[ " + condition + " ] && export CUDA_VISIBLE_DEVICES=; exec \"$0\" \"$@\"";
  launcher.insert(launcher.end(), {"sh", "-c", blind});
  return Command(arguments, 0, launcher).wait();
}

TEST_P(CudaLattices, name_the_rank_that_finds_no_gpu) {
  const Outcome outcome = on_ranks_without_gpu("$OMPI_COMM_WORLD_RANK = 1",
                                               GetParam().with("--backend", "cuda").arguments(folder_ / "output.h5"));
  EXPECT_EQ(outcome.exit_code, 2) << outcome.error_text;
  ASSERT_EQ(complaints(outcome).size(), 1U) << outcome.error_text;
  EXPECT_NE(complaints(outcome)[0].find("rank 1 finds no GPU"), std::string::npos) << outcome.error_text;
  EXPECT_TRUE(folder_.empty()) << "a file is left behind";
}

TEST_P(CudaLattices, stay_on_cpus_when_a_rank_finds_no_gpu) {
  const Outcome outcome =
      on_ranks_without_gpu("$OMPI_COMM_WORLD_RANK = 1", GetParam().arguments(folder_ / "output.h5"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error_text;
  EXPECT_EQ(io::read(folder_ / "output.h5", "measurement").text("backend"), "cpu");
}

/// Needs no GPU.
using WithoutGpus = OnRanks;

TEST_P(WithoutGpus, cuda_is_refused_in_one_sentence) {
  const Outcome outcome =
      on_ranks_without_gpu("1 = 1", GetParam().with("--backend", "cuda").arguments(folder_ / "output.h5"));
  EXPECT_EQ(outcome.exit_code, 2) << outcome.error_text;
  ASSERT_EQ(complaints(outcome).size(), 1U) << outcome.error_text;
  EXPECT_NE(complaints(outcome)[0].find("rank 0 finds no GPU"), std::string::npos) << outcome.error_text;
  EXPECT_TRUE(folder_.empty()) << "a file is left behind";
}

/// Those that are no exchange Monte Carlo, whose slots are spread and not its lattices.
std::vector<JobLine> lattices() {
  std::vector<JobLine> jobs = small_jobs();
  std::erase_if(jobs, [](const JobLine& job) { return job.model == "rfim3d"; });
  jobs.push_back(
      small_spin_glass().with("--L", "16").with("--replicas", "5").with("--sweeps", "40").named("ea3d_five_replicas"));
  return jobs;
}

INSTANTIATE_TEST_SUITE_P(Mpi, CudaLattices, testing::ValuesIn(lattices()), name_of);
INSTANTIATE_TEST_SUITE_P(Mpi, WithoutGpus, testing::Values(small_spin_glass(), small_square()), name_of);

}  // namespace
}  // namespace psflip::equality
