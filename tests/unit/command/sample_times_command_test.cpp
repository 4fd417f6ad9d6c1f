#include "tests/unit/analysis/synthetic_tempering.hpp"
#include "tests/unit/command/analysis_command.hpp"

namespace psflip {
namespace {

class SampleTimesCommand : public test::AnalysisCommand {
 protected:
  void SetUp() override {
    test::TemperingFile first = test::scattered(0.1), second = test::scattered(0.1);
    first.samples = second.first_sample = 20;
    second.samples = 44;
    io::write(folder / "a.h5", first.make());
    io::write(folder / "b.h5", second.make());
  }
};

TEST_F(SampleTimesCommand, WritesTimesOfEverySampleQuantilesAndAHistogram) {
  expect_success("sample-times b.h5 a.h5 --output t.csv --quantiles q.csv --histogram h.csv");
  const auto rows = table("t.csv"), quantiles = table("q.csv"), bins = table("h.csv");
  ASSERT_EQ(rows.size(), 1u + 3 * 64);
  EXPECT_EQ(text("t.csv").substr(0, text("t.csv").find('\n')),
            "model,method,L,h,p,seed,sample,quantity,value,lower_bound,bin_sweeps,bin_in_times");
  EXPECT_EQ(rows[1][0], "rfim3d");
  EXPECT_EQ(rows[1][2], "4");
  EXPECT_EQ(rows[1][3], "0.05");
  EXPECT_EQ(rows[1][6], "0");
  EXPECT_EQ(rows[1][7], "round_trip_time");
  EXPECT_NEAR(std::stod(rows[1][8]) * std::stod(rows[1][11]), 800, 1e-6);
  EXPECT_EQ(rows[65][7], "tau_int_e");
  EXPECT_EQ(rows[129][7], "tau_int_m");
  EXPECT_NEAR(std::stod(rows[129][8]), 0.05 / 1.05 * 800, 1e-6);
  ASSERT_EQ(quantiles.size(), 1u + 3 * 9);
  // Samples make two or four trips with both sets.
  EXPECT_EQ(quantiles[1][8], "1600");
  EXPECT_EQ(quantiles[9][8], "3200");
  std::int64_t counted = 0;
  for (const auto& bin : bins)
    if (bin[6] == "tau_int_m") counted += std::stoll(bin[9]);
  EXPECT_EQ(counted, 64);
}

TEST_F(SampleTimesCommand, NamesTheSlowestSamples) {
  expect_success("sample-times a.h5 b.h5 --output t.csv --slowest 2");
  const auto rows = table("t.csv");
  ASSERT_EQ(rows.size(), 1u + 3 * 2);
  EXPECT_EQ(rows[1][6], "0") << "even samples make half as many trips";
  EXPECT_EQ(rows[2][6], "2");
}

TEST_F(SampleTimesCommand, RefusesOtherFiles) {
  expect_success("reduce a.h5 --output r.h5");
  expect_refusal("sample-times r.h5 --output t.csv", "reduced");
  expect_refusal("sample-times a.h5 a.h5 --output t.csv", "both hold the sample 0");
  expect_refusal("sample-times a.h5 --output t.csv --slowest 0", "--slowest 0: a number of samples is positive");
  expect_refusal("sample-times a.h5 --output a.h5", "a.h5");
  expect_refusal("sample-times a.h5 --output t.csv --quantiles t.csv", "t.csv");
  expect_refusal("sample-times a.h5 --output t.csv --histogram a.h5", "a.h5");
  test::TemperingFile other;
  other.first_sample = 64;
  other.temperatures = {0.8, 0.9, 1.0, 1.2};
  io::write(folder / "other.h5", other.make());
  expect_refusal("sample-times a.h5 other.h5 --output t.csv", "their temperatures differ");
  test::SyntheticJob relaxation;
  io::write(folder / "e.h5",
            test::synthetic_ea3d(relaxation, test::gaussian_overlaps(relaxation, [](std::size_t) { return 2.0; })));
  expect_refusal("sample-times e.h5 --output t.csv", "holds relaxation of ea3d");
}

}  // namespace
}  // namespace psflip
