#include "tests/unit/analysis/synthetic_tempering.hpp"
#include "tests/unit/command/analysis_command.hpp"

namespace psflip {
namespace {

using SpecificHeatCommand = test::AnalysisCommand;

TEST_F(SpecificHeatCommand, WritesBothSpecificHeatsOfEverySlotAndTheirDifference) {
  test::TemperingFile job;
  job.temperatures = {0.8, 0.82, 0.84, 0.86, 0.88, 0.9, 0.92};
  io::write(folder / "m.h5", job.make());
  expect_success("reduce m.h5 --output r.h5");
  expect_success("specific-heat r.h5 --output C.csv");
  const auto rows = table("C.csv");
  ASSERT_EQ(rows.size(), 1u + 3 * 7);
  EXPECT_EQ(text("C.csv").substr(0, text("C.csv").find('\n')),
            "model,method,L,h,p,T,seed,observable,value,error,error_systematic,blocks,order,equilibrated");
  for (std::size_t i = 1; i < rows.size(); i += 3) {
    EXPECT_EQ(rows[i][7], "C");
    EXPECT_EQ(rows[i + 1][7], "C_derivative");
    EXPECT_EQ(rows[i + 2][7], "C_difference");
    // The files hold exact averages, so only the polynomial differs.
    EXPECT_LE(std::abs(std::stod(rows[i + 2][8])), 2 * std::stod(rows[i + 2][10]) + 1e-6) << rows[i][5];
    EXPECT_EQ(rows[i + 1][12], "4");
    EXPECT_EQ(rows[i + 1][13], "1");
  }
}

TEST_F(SpecificHeatCommand, StandsNextToLogarithmicBinsOfAllOrOfTheLastBins) {
  io::write(folder / "m.h5", test::TemperingFile().make());
  expect_success("reduce m.h5 --output all.h5");
  expect_success("reduce m.h5 --last-bins 3 --output last.h5");
  expect_success("log-bins all.h5 --output all.csv");
  expect_success("log-bins last.h5 --output last.csv");
  const auto all = table("all.csv"), last = table("last.csv");
  ASSERT_EQ(all.size(), 1u + 4 * 2 * 5);
  ASSERT_EQ(last.size(), 1u + 4 * 2 * 3);
  EXPECT_EQ(text("all.csv").substr(0, text("all.csv").find('\n')),
            "model,method,L,h,p,T,seed,observable,t_from,t_to,value,error,difference,difference_error,blocks");
  for (std::size_t bin = 0; bin < 3; ++bin) EXPECT_EQ(last[1 + bin], all[3 + bin]);
  EXPECT_EQ(last[1][8], "200");
  expect_refusal("log-bins m.h5 --output t.csv", "measurement");
  expect_refusal("log-bins all.h5 --output all.h5", "all.h5");
}

TEST_F(SpecificHeatCommand, RefusesOtherFiles) {
  test::TemperingFile job;
  job.temperatures = {0.8};
  io::write(folder / "m.h5", job.make());
  expect_success("reduce m.h5 --output r.h5");
  expect_refusal("specific-heat r.h5 --output C.csv", "it has 1 temperature slot, but 2 are needed");
  expect_refusal("specific-heat m.h5 --output C.csv", "measurement");
  expect_refusal("specific-heat r.h5 --output r.h5", "r.h5");
  test::SyntheticJob relaxation;
  io::write(folder / "e.h5",
            test::synthetic_ea3d(relaxation, test::gaussian_overlaps(relaxation, [](std::size_t) { return 2.0; })));
  expect_success("reduce e.h5 --output er.h5");
  expect_refusal("specific-heat er.h5 --output C.csv", "holds relaxation of ea3d");
}

}  // namespace
}  // namespace psflip
