#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/cuda/cuda.hpp"
#include "mpirun.hpp"
#include "tests/unit/temporary_folder.hpp"

// psflip-lab on the GPUs of this machine, one for each rank or several ranks on each. Measured times are not tested.
namespace psflip::equality {
namespace {

class CudaLaboratory : public testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::available()) GTEST_SKIP() << "no GPU on this machine";
  }

  /// The rows of a command that are not of the scalar reference.
  std::vector<nlohmann::json> rows_on(int ranks, Arguments arguments) {
    const std::string output = (folder_ / "page.json").string();
    arguments.insert(arguments.end(), {"--seconds", "0.01", "--output", output});
    const Outcome outcome = run_on(ranks, arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error_text;
    std::vector<nlohmann::json> rows;
    if (outcome.exit_code != 0) return rows;
    const nlohmann::json page = nlohmann::json::parse(std::ifstream(output));
    for (const nlohmann::json& row : page.at("table"))
      if (row.at("variant") != "scalar") rows.push_back(row);
    return rows;
  }

  test::TemporaryFolder folder_;
};

TEST_F(CudaLaboratory, times_slabs_of_ranks_with_and_without_their_neighbours) {
  if (std::string(PSFLIP_MPIRUN).empty()) GTEST_SKIP() << "this build has no MPI, or there is no mpirun";
  for (const int ranks : {2, 3}) {
    const auto rows = rows_on(ranks, {"exchange", "--device", "cuda", "--L", "24", "--packs", "2"});
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].at("equal_bits"), nlohmann::json({"one GPU"}));
    EXPECT_EQ(rows[0].at("ranks"), ranks);
    EXPECT_EQ(rows[0].at("bytes_of_half_sweep"), 24 * 24 * 4 * 4 * 2);
    for (const char* key : {"seconds_of_half_sweep", "seconds_without_neighbours", "seconds_of_messages"})
      EXPECT_GT(rows[0].at(key), 0.0) << key;
  }
}

TEST_F(CudaLaboratory, times_slabs_of_the_square_lattice_that_share_gpus) {
  const auto rows = rows_on(0, {"gpus", "--gpus", "1,2", "--L", "64", "--shared"});
  ASSERT_EQ(rows.size(), 3U * 2 * 3);  // variants, memories, one GPU and two scalings on two
  for (const nlohmann::json& row : rows) {
    EXPECT_EQ(row.at("flips"), row.at("L").get<double>() * row.at("rows").get<double>());
    EXPECT_EQ(row.at("rows"), row.at("scaling") == "weak" ? 64 * row.at("gpus").get<int>() : 64);
    EXPECT_EQ(row.at("devices").size(), row.at("gpus").get<std::size_t>());
    EXPECT_GT(row.at("efficiency"), 0.0);
    EXPECT_NEAR(row.at("flips_per_ns").get<double>() * row.at("ps_per_flip").get<double>(), 1e3, 1e-6);
  }
}

}  // namespace
}  // namespace psflip::equality
