#include <nlohmann/json.hpp>

#include "engine/cuda/cuda.hpp"
#include "on_ranks.hpp"

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
  }
}

TEST_P(CudaRanks, take_gpus_when_nothing_is_said_of_them) { EXPECT_EQ(file_on(2, GetParam()).text("backend"), "cuda"); }

struct Stage {
  int ranks;
  const char* backend;
};

TEST_P(CudaRanks, continue_each_others_checkpoints_and_those_of_one_gpu_and_of_cpus) {
  const io::LabelledFile expected = file_on(0, GetParam().with("--backend", "cpu"));
  const JobLine job = GetParam().with("--checkpoint", (folder_ / "checkpoint.h5").string());
  std::filesystem::remove(folder_ / "file.h5");
  for (const Stage& stage : {Stage{3, "cuda"}, {0, "cuda"}, {4, "cuda"}, {2, "cpu"}, {2, "cuda"}, {0, "cpu"}}) {
    const JobLine one_round = job.with("--max-seconds", "0").with("--backend", stage.backend);
    const Outcome outcome = run_on(stage.ranks, one_round.arguments(folder_ / "file.h5"));
    ASSERT_EQ(outcome.exit_code, 75) << outcome.error_text;
    EXPECT_TRUE(complaints(outcome).empty()) << outcome.error_text;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "file.h5"));
  }
  EXPECT_TRUE(same_data(file_on(3, job.with("--backend", "cuda")), expected));
}

TEST_P(CudaRanks, make_the_grid_of_one_process_on_a_cpu) {
  const std::map<std::string, std::string> physics = GetParam().options;
  const auto grid_on = [&](int ranks, const char* backend) {
    Arguments line = {"rfim3d",   "adapt", "--slots",      "4", "--T",       "3.4,4.6", "--sweeps", "200",
                      "--trials", "1",     "--insertions", "1", "--backend", backend,   "--output"};
    line.push_back((folder_ / "grid.json").string());
    for (const char* option : {"--L", "--h", "--samples", "--seed"})
      line.insert(line.end(), {option, physics.at(option)});
    const Outcome outcome = run_on(ranks, line);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error_text;
    nlohmann::json grid = nlohmann::json::parse(test::slurp(folder_ / "grid.json"));
    grid.erase("created");
    return grid;
  };
  EXPECT_EQ(grid_on(3, "cuda"), grid_on(0, "cpu"));
}

/// Seven slots, which neither two, three nor four ranks share evenly.
JobLine uneven() {
  return small_random_field()
      .named("rfim3d_seven_slots")
      .with("--L", "8")
      .with("--T", "3.5,3.6,3.7,3.8,3.9,4,4.1")
      .with("--sweeps", "200");
}

INSTANTIATE_TEST_SUITE_P(
    Mpi, CudaRanks,
    testing::Values(small_random_field(), uneven(),
                    uneven().named("rfim3d_strong_field").with("--h", "2.5").with("--start", "ordered"),
                    uneven().named("rfim3d_weak_field").with("--h", "0.3").with("--samples", "3:130")),
    name_of);

}  // namespace
}  // namespace psflip::equality
