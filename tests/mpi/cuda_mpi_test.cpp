#include <cstdio>

#include "engine/cuda/cuda.hpp"
#include "on_ranks.hpp"
#include "tests/equality/member_jobs.hpp"

// The executable under mpirun on the GPUs of this machine: one for each rank, or several ranks on each.
namespace psflip::equality {
namespace {

class CudaRanks : public OnRanks {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "no GPU on this machine";
    OnRanks::SetUp();
  }
};

TEST_P(CudaRanks, one_to_four_give_the_data_of_one_process_on_a_cpu) {
  const io::LabelledFile expected = file_on(0, GetParam().with("--backend", "cpu"));
  for (int ranks = 1; ranks <= 4; ++ranks) {
    const io::LabelledFile found = file_on(ranks, GetParam().with("--backend", "cuda"));
    EXPECT_EQ(found.text("backend"), "cuda");
    EXPECT_TRUE(same_data(found, expected)) << ranks << " ranks";
    if (found.attributes.contains("halo")) std::printf("%d ranks: planes by %s\n", ranks, found.text("halo").c_str());
  }
}

TEST_P(CudaRanks, take_gpus_when_nothing_is_said_of_them) { EXPECT_EQ(file_on(2, GetParam()).text("backend"), "cuda"); }

TEST_P(CudaRanks, continue_each_others_checkpoints_and_those_of_one_gpu_and_of_cpus) {
  expect_continued(
      {{4, "cuda"}, {0, "cuda"}, {3, "cuda"}, {0, "cuda"}, {4, "cuda"}, {2, "cpu"}, {2, "cuda"}, {0, "cpu"}},
      {3, "cuda"});
}

/// Jobs that exchange no temperatures: their lattices are spread over the ranks.
class CudaLattices : public CudaRanks {};

TEST_P(CudaLattices, give_the_same_data_when_mpi_sends_planes) {
  setenv("PSFLIP_HALO", "host", 1);  // mpirun hands it on to ranks on this machine
  const io::LabelledFile found = file_on(3, GetParam().with("--backend", "cuda"));
  unsetenv("PSFLIP_HALO");
  EXPECT_EQ(found.text("halo"), "host");
  EXPECT_TRUE(same_data(found, file_on(0, GetParam().with("--backend", "cpu"))));
}

/// Larger lattices, of which ranks hold several segments of planes.
class CudaSlabs : public CudaRanks {};

TEST_P(CudaSlabs, on_one_to_four_ranks_give_the_data_of_one_process_on_a_cpu) {
  const io::LabelledFile expected = file_on(0, GetParam().with("--backend", "cpu"));
  for (int ranks = 1; ranks <= 4; ++ranks)
    EXPECT_TRUE(same_data(file_on(ranks, GetParam().with("--backend", "cuda")), expected)) << ranks << " ranks";
}

/// Many half sweeps, for which CPUs would take minutes. Half sweeps of a launch overlap: a thread block waits for the
/// adjoining tiles only. A tile that it should wait for and does not is nearly always done in time, so that short jobs
/// rarely find the error.
class CudaLongSlabs : public CudaRanks {};

TEST_P(CudaLongSlabs, on_two_to_four_ranks_give_the_data_of_one_gpu) {
  const JobLine job = GetParam().with("--backend", "cuda");
  const io::LabelledFile expected = file_on(0, job);
  for (int ranks = 2; ranks <= 4; ++ranks) EXPECT_TRUE(same_data(file_on(ranks, job), expected)) << ranks << " ranks";
}

/// Temperature slots with long messages, which go through host memory that the ranks share, and the same sent by MPI.
class CudaLongMessages : public CudaRanks {};

TEST_P(CudaLongMessages, on_two_to_four_ranks_give_the_data_of_one_gpu) {
  const JobLine job = GetParam().with("--backend", "cuda");
  const io::LabelledFile expected = file_on(0, job);
  for (int ranks = 2; ranks <= 4; ++ranks) EXPECT_TRUE(same_data(file_on(ranks, job), expected)) << ranks << " ranks";
  setenv("PSFLIP_HALO", "host", 1);
  EXPECT_TRUE(same_data(file_on(3, job), expected));
  unsetenv("PSFLIP_HALO");
}

/// What psflip says on two ranks of which those that `condition` is true of, a test of the shell, see no GPU.
Outcome on_ranks_without_gpu(const std::string& condition, const Arguments& arguments) {
  Arguments launcher = mpirun(2);
  const std::string blind = "[ " + condition + " ] && export CUDA_VISIBLE_DEVICES=; exec \"$0\" \"$@\"";
  launcher.insert(launcher.end(), {"sh", "-c", blind});
  return Command(arguments, 0, launcher).wait();
}

TEST_P(CudaLattices, name_the_rank_that_finds_no_gpu) {
  expect_refused(on_ranks_without_gpu("$OMPI_COMM_WORLD_RANK = 1",
                                      GetParam().with("--backend", "cuda").arguments(folder_ / "output.h5")),
                 "rank 1 finds no GPU");
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
  expect_refused(on_ranks_without_gpu("1 = 1", GetParam().with("--backend", "cuda").arguments(folder_ / "output.h5")),
                 "rank 0 finds no GPU");
}

class CudaGrids : public CudaRanks {};

TEST_P(CudaGrids, are_those_of_one_process_on_a_cpu) {
  const auto grid = [&](int ranks, const char* backend) {
    return grid_on(ranks, GetParam(), {"--T", "3.4,4.6", "--backend", backend});
  };
  EXPECT_EQ(grid(3, "cuda"), grid(0, "cpu"));
}

std::vector<JobLine> lattices() {
  std::vector<JobLine> jobs = small_jobs();
  std::erase_if(jobs, [](const JobLine& job) { return job.method == "tempering"; });
  jobs.push_back(
      small_spin_glass().with("--L", "16").with("--replicas", "5").with("--sweeps", "40").named("ea3d_five_replicas"));
  jobs.push_back(small_square()
                     .with("--L", "1024")
                     .with("--samples", "2:1")
                     .with("--sweeps", "60")
                     .named("ising2d_sites_with_many_ghost_rows"));
  return jobs;
}

std::vector<JobLine> slabs() {
  JobLine job = small_spin_glass().with("--samples", "0:32").with("--replicas", "4").with("--sweeps", "4");
  job.flags.clear();                              // the spins of these lattices take seconds to save
  const JobLine larger = job.with("--L", "128");  // two ranks update whole segments at both ends
  JobLine square = small_square().with("--L", "16384").with("--samples", "2:1").with("--sweeps", "60");
  square.flags.clear();
  return {square.named("ising2d_sites_of_a_known_size"), job.with("--L", "64").named("ea3d_of_a_known_size"),
          larger.named("ea3d_of_a_larger_known_size"), larger.with("--random", "independent").named("ea3d_independent"),
          larger.with("--samples", "0:288").named("ea3d_with_messages_of_more_than_a_mebibyte")};
}

std::vector<JobLine> long_slabs() {
  JobLine square = small_square()
                       .with("--L", "32768")
                       .with("--T", "2.27")
                       .with("--samples", "2:1")
                       .with("--sweeps", "8000")
                       .with("--measure-interval", "1000")
                       .named("ising2d_sites");
  square.flags.clear();
  return {square};
}

/// Temperature slots are spread over the ranks: seven are shared evenly by neither two, three nor four ranks.
std::vector<JobLine> tempering_jobs() {
  const JobLine uneven = small_random_field()
                             .named("rfim3d_seven_slots")
                             .with("--L", "8")
                             .with("--T", "3.5,3.6,3.7,3.8,3.9,4,4.1")
                             .with("--sweeps", "200");
  return {small_random_field(), uneven,
          uneven.named("rfim3d_strong_field").with("--h", "2.5").with("--start", "ordered"),
          uneven.named("rfim3d_weak_field").with("--h", "0.3").with("--samples", "3:130")};
}

JobLine long_messages() {
  JobLine job = small_random_field()
                    .named("rfim3d")
                    .with("--L", "64")
                    .with("--samples", "0:400")
                    .with("--T", "3.5,3.6,3.7,3.8,3.9");
  job.flags.clear();
  return job;
}

INSTANTIATE_TEST_SUITE_P(Lattices, CudaRanks, testing::ValuesIn(lattices()), name_of);
INSTANTIATE_TEST_SUITE_P(Slots, CudaRanks, testing::ValuesIn(tempering_jobs()), name_of);
INSTANTIATE_TEST_SUITE_P(Members, CudaRanks, testing::ValuesIn(member_jobs()), name_of);
INSTANTIATE_TEST_SUITE_P(Mpi, CudaLattices, testing::ValuesIn(lattices()), name_of);
INSTANTIATE_TEST_SUITE_P(Mpi, CudaSlabs, testing::ValuesIn(slabs()), name_of);
INSTANTIATE_TEST_SUITE_P(Mpi, CudaLongSlabs, testing::ValuesIn(long_slabs()), name_of);
INSTANTIATE_TEST_SUITE_P(Mpi, CudaLongMessages, testing::Values(long_messages()), name_of);
INSTANTIATE_TEST_SUITE_P(Mpi, CudaGrids, testing::ValuesIn(tempering_jobs()), name_of);
INSTANTIATE_TEST_SUITE_P(Mpi, WithoutGpus, testing::Values(small_spin_glass(), small_square()), name_of);

}  // namespace
}  // namespace psflip::equality
