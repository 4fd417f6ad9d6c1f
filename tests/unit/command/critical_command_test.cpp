#include "analysis/ensemble/reduced_file.hpp"
#include "tests/unit/analysis/synthetic_relaxation.hpp"
#include "tests/unit/command/analysis_command.hpp"

namespace psflip {
namespace {

class CriticalCommand : public test::AnalysisCommand {
 protected:
  /// Writes reduced files of some sizes at five temperatures; their names.
  std::string reduced(const std::vector<int>& sizes) {
    test::SyntheticRelaxation law;
    law.noise = 0.002;
    std::string names;
    for (const int L : sizes)
      for (const double beta : {0.84, 0.87, 0.9, 0.93, 0.96}) {
        const std::string name = "r" + std::to_string(L) + "_" + std::to_string(beta) + ".h5";
        io::write(folder / name, analysis::to_file({test::synthetic_ensemble(law, L, beta)}));
        names += ' ';
        names += name;
      }
    return names;
  }
};

TEST_F(CriticalCommand, WritesValuesAtFixedRxiAndFits) {
  expect_success("critical" + reduced({8, 12, 16}) + " --clock 0.35,0.25 --omega 1.1 --readings r.csv --output f.csv");
  const auto readings = table("r.csv");
  EXPECT_EQ(readings[0], (std::vector<std::string>{"L", "T", "beta", "clock", "quantity", "value", "error", "blocks"}));
  EXPECT_EQ(readings.size(), 1 + 3 * 5 * 2 * 4u) << "sizes, temperatures, reference values, quantities";
  EXPECT_EQ(readings[1][3] + readings[5][3], "0.250.35") << "reference values ascend";
  std::map<std::string, std::string> values;
  for (const auto& row : table("f.csv"))
    if (row[1] != "quotient" && row[2] == "U4" && row[3] == "0.35" && row[5] == "8" && row[7].empty())
      values[row[0] + " " + row[1]] = row[9];
  EXPECT_NEAR(std::stod(values.at("beta_c joint")), 0.9, 0.01);
  EXPECT_NEAR(std::stod(values.at("z power")), 6.8, 0.02);
  EXPECT_NEAR(std::stod(values.at("eta power")), -0.4, 0.01);
}

TEST_F(CriticalCommand, FitsReferenceValuesTogether) {
  expect_success(
      "critical" + reduced({8, 12, 16}) +
      " --clock 0.25,0.3,0.35 --together 0.25,0.35 --xi-min 2,3 --omega 1.1 --readings r.csv --output f.csv");
  std::map<std::string, int> beta_c;  // xi_min: number of fits
  for (const auto& row : table("f.csv"))
    if (row[0] == "beta_c" && row[3].empty()) ++beta_c[row[4]];
  EXPECT_EQ(beta_c, (std::map<std::string, int>{{"2", 6}, {"3", 3}}))
      << "U4, U22 and both; with a correction where there are three sizes, without";
}

TEST_F(CriticalCommand, GivesForEachDegreeTheFitsTogetherOfARunWithItAlone) {
  const std::string command = "critical" + reduced({8, 12, 16}) +
                              " --clock 0.25,0.35 --together 0.25,0.35 --xi-min 2,3 --omega 1.1,0.9 --readings r.csv";
  using Rows = std::vector<std::vector<std::string>>;
  const auto rows_of = [&](const std::string& degrees, const std::string& degree, bool together) {
    expect_success(command + " --degree " + degrees + " --output f.csv");
    Rows rows;
    const Rows all = table("f.csv");
    EXPECT_EQ(all[0][8], "degree");
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i][8] == degree && all[i][4].empty() != together) rows.push_back(all[i]);
    return rows;
  };
  for (const std::string degree : {"3", "2"}) {
    EXPECT_FALSE(rows_of(degree, degree, true).empty());
    EXPECT_EQ(rows_of("3,2", degree, true), rows_of(degree, degree, true));
  }
  EXPECT_NE(rows_of("3", "3", true)[0][9], rows_of("2", "2", true)[0][9]);
  EXPECT_EQ(rows_of("3,2", "3", false), rows_of("3", "3", false)) << "crossings and fits at one reference value";
  EXPECT_TRUE(rows_of("3,2", "2", false).empty()) << "only the first degree has them";
}

TEST_F(CriticalCommand, RefusesDegreesThatItCannotUse) {
  const std::string command = "critical" + reduced({8}) + " --clock 0.3 --readings r.csv --output f.csv";
  const std::string together = command + " --together 0.3 --xi-min 2";
  expect_refusal(together + " --degree 2,2", "--degree has 2 twice; give every value once");
  expect_refusal(together + " --degree 0", "--degree: Value 0 not in range");
  expect_refusal(together + " --degree 2,5", "--degree: Value 5 not in range");
  expect_refusal(together + " --degree 2.5", "--degree");
  expect_refusal(command + " --degree 2,3",
                 "--degree has more than one value, but only fits of --together use them all");
}

TEST_F(CriticalCommand, RefusesWhatItCannotUse) {
  const std::string one = reduced({8});
  const std::string rest = " --readings r.csv --output f.csv";
  expect_refusal("critical" + one + " --clock 0.3" + rest, "No fit is possible with the 5 runs given");
  expect_refusal("critical" + one + " --clock 0.64" + rest, "passes none of the values of --clock");
  expect_refusal("critical" + one + rest, "--clock is required");
  expect_refusal("critical" + one + " --clock 0.3 --together 0.3" + rest,
                 "--together and --xi-min belong to each other");
  expect_refusal("critical" + one + " --clock 0.3 --together 0.4 --xi-min 3" + rest, "--together has 0.4");
  expect_refusal("critical" + one + " --clock 0.3 --together 0.3 --xi-min 3,3" + rest, "--xi-min has 3 twice");
  expect_refusal("critical" + one + " --clock 0.3 --readings r.csv --output nowhere/f.csv", "nowhere");
}

}  // namespace
}  // namespace psflip
