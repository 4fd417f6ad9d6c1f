#include "tests/unit/analysis/synthetic_tempering.hpp"
#include "tests/unit/command/analysis_command.hpp"

namespace psflip {
namespace {

class InterpolateCommand : public test::AnalysisCommand {
 protected:
  void SetUp() override {
    test::TemperingFile job;
    job.temperatures = {0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.1};
    io::write(folder / "m.h5", job.make());
    expect_success("reduce m.h5 --output r.h5");
  }
};

TEST_F(InterpolateCommand, WritesValuesErrorsAndCovariancesBetweenSlots) {
  expect_success("interpolate r.h5 --observables U4,m2,U4 --at 0.93,1 --output t.csv --covariances c.csv");
  const auto rows = table("t.csv"), covariances = table("c.csv");
  ASSERT_EQ(rows.size(), 5u) << "each observable once";
  EXPECT_EQ(text("t.csv").substr(0, text("t.csv").find('\n')),
            "model,method,L,h,p,T,beta,seed,observable,value,error,error_systematic,blocks,interpolation,order,T_min,T_"
            "max,equilibrated");
  EXPECT_EQ(rows[1][5], "0.93");
  EXPECT_NEAR(std::stod(rows[1][6]), 1 / 0.93, 1e-9) << "beta";
  EXPECT_EQ(rows[1][13], "slopes");
  EXPECT_EQ(rows[3][13], "values");
  EXPECT_EQ(rows[1][17], "1");
  EXPECT_EQ(rows[2][15], rows[2][16]) << "a slot";
  ASSERT_EQ(covariances.size(), 11u) << "each of ten pairs once";
  EXPECT_NEAR(std::stod(covariances[1][4]), std::pow(std::stod(rows[1][10]), 2), 1e-9);
}

TEST_F(InterpolateCommand, GivesTheSlotsThemselvesAsCombineDoes) {
  expect_success("combine r.h5 --output combined.csv");
  expect_success("interpolate r.h5 --observables all --at 0.8,0.95,1.1 --output t.csv");
  const auto combined = table("combined.csv");
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> known;
  for (const auto& row : combined) known[{row[5], row[8]}] = row;
  const auto rows = table("t.csv");
  ASSERT_GT(rows.size(), 3u * 20);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto& row = known.at({rows[i][5], rows[i][8]});
    const double value = std::stod(row[9]);
    EXPECT_NEAR(std::stod(rows[i][9]), value, 1e-8 * std::abs(value)) << row[8];
    if (!row[10].empty()) {
      EXPECT_NEAR(std::stod(rows[i][10]), std::stod(row[10]), 1e-6 * std::abs(value)) << row[8];
    }
    EXPECT_EQ(rows[i][17], row[13]) << row[8];
  }
}

TEST_F(InterpolateCommand, TakesIntervalsInTAndInBeta) {
  expect_success("interpolate r.h5 --observables e --from 0.8 --to 1.1 --count 4 --output t.csv");
  const auto rows = table("t.csv");
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_NEAR(std::stod(rows[2][5]), 0.9, 1e-12);
  expect_success("interpolate r.h5 --observables e --from 1 --to 1.25 --count 2 --in-beta --output b.csv");
  const auto beta = table("b.csv");
  EXPECT_NEAR(std::stod(beta[1][5]), 1, 1e-12);
  EXPECT_NEAR(std::stod(beta[2][5]), 0.8, 1e-12) << "the end of the grid";
}

TEST_F(InterpolateCommand, RefusesWhatItCannotAnswer) {
  const std::string start = "interpolate r.h5 --output t.csv --observables ";
  expect_refusal(start + "U4 --at 0.7", "its slots lie between T = 0.8 and 1.1");
  expect_refusal(start + "U4 --at 0.9,1.2", "its slots lie between T = 0.8 and 1.1");
  expect_refusal(start + "U4 --at 2 --in-beta", "at T = 0.5 (beta = 2)");
  expect_refusal(start + "U4 --at 0", "T = 0 is no temperature");
  expect_refusal(start + "U4 --at -1 --in-beta", "beta = -1 is no temperature");
  expect_refusal(start + "U4 --at nan", "not a finite number");
  expect_refusal(start + "U4", "give either --at LIST or --from, --to and --count");
  expect_refusal(start + "U4 --at 0.9 --from 0.8", "give either --at LIST or --from, --to and --count");
  expect_refusal(start + "U4 --from 0.8 --to 1", "belong together");
  expect_refusal(start + "U4 --from 1 --to 0.8 --count 3", "--from 1 is not below --to 0.8");
  expect_refusal(start + "U4 --from 0.8 --to 1 --count 1", "--count 2 or more");
  expect_refusal(start + "U4 --from 0.8 --to 1 --count 1000000", "too large for one table");
  expect_refusal(start + "all --from 0.8 --to 1 --count 1000 --covariances c.csv", "numbers of 2000 at most");
  expect_refusal(start + "magic --at 0.9", "has no sums for magic");
  expect_refusal(start + "tau_int_e --at 0.9", "belongs to the slots of a grid");
  expect_refusal("interpolate r.h5 --observables U4 --at 0.9 --output r.h5", "r.h5");
  expect_refusal(start + "U4 --at 0.9 --covariances t.csv", "t.csv");
  expect_refusal("interpolate m.h5 --observables U4 --at 0.9 --output t.csv", "measurement");
}

}  // namespace
}  // namespace psflip
