#include "tests/unit/analysis/synthetic_tempering.hpp"
#include "tests/unit/command/analysis_command.hpp"

namespace psflip {
namespace {

using CrossingCommand = test::AnalysisCommand;

TEST_F(CrossingCommand, GivesOfTheRandomFieldALimitOfTheTemperatureButNoneOfU4) {
  std::string names;
  for (const std::int64_t L : {4, 6, 8}) {
    test::TemperingFile job;
    job.model = test::CurieWeiss{L, 1, 0.001};
    job.temperatures = {0.8, 0.84, 0.88, 0.92, 0.96, 1.0, 1.04, 1.12, 1.2};
    const std::string number = std::to_string(L);
    io::write(folder / ("m" + number + ".h5"), job.make());
    expect_success("reduce m" + number + ".h5 --output r" + number + ".h5");
    names += " r" + number + ".h5";
  }
  expect_success("crossing" + names + " --observable U4 --output U4.csv");
  const auto rows = table("U4.csv");
  ASSERT_EQ(rows.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_NE(rows[i][3], "nan") << "temperature";
    EXPECT_EQ(rows[i][5] == "nan", i == 3) << "U4 there";
    EXPECT_EQ(rows[i][6].empty(), i == 3) << "its error";
    EXPECT_EQ(rows[i][11], "64") << "blocks";
    EXPECT_EQ(rows[i][12].empty(), i < 3) << "systematic error of the temperature";
    EXPECT_EQ(rows[i][13], "");
  }
  EXPECT_EQ(rows[3][2], "inf");
  expect_success("crossing" + names + " --observable U4 --pairs-only --output pairs.csv");
  const auto pairs = table("pairs.csv");
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[2][2], "8");
}

}  // namespace
}  // namespace psflip
