#include "analysis/dynamics/sample_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analysis/statistics/estimate.hpp"
#include "analysis/statistics/streaming.hpp"
#include "tests/unit/analysis/synthetic_files.hpp"
#include "tests/unit/analysis/synthetic_tempering.hpp"
#include "tests/unit/expect_sentence.hpp"

namespace psflip::analysis {
namespace {

const SampleTimes& of(const std::vector<SampleTimes>& all, const std::string& quantity) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const SampleTimes& one) { return one.quantity == quantity; });
  if (found == all.end()) throw std::out_of_range(quantity);
  return *found;
}

/// Bond sum and magnetization are autoregressive series x' = a x + noise; a of the sample is 0, 0.5 or 0.9.
constexpr double factors[] = {0, 0.5, 0.9};
double factor_of(std::int64_t sample) { return factors[sample % 3]; }
/// 1/2 + sum of a^t, in sweeps: a measurement every 10.
double exact_tau(double a) { return 10 * (0.5 + a / (1 - a)); }

test::TemperingFile autoregressive() {
  test::TemperingFile job;
  job.model.h = 0;
  job.samples = 192;
  job.measurements = {1500};
  job.averages = [](double T, std::size_t, std::int64_t sample, int set) {
    std::seed_seq seeds{std::int64_t{5}, static_cast<std::int64_t>(std::lround(100 * T)), sample, std::int64_t{set}};
    std::mt19937_64 random(seeds);
    std::normal_distribution<double> normal;
    const double a = factor_of(sample), noise = std::sqrt(1 - a * a);
    double x = normal(random), y = normal(random);
    test::SetValues sums{};
    for (int step = 0; step < 1500; ++step) {
      const double B = 50 + 5 * x, M = 3 * y;
      sums[0] += B / 1500;
      sums[2] += B * B / 1500;
      sums[5] += M / 1500;
      sums[7] += M * M / 1500;
      x = a * x + noise * normal(random);
      y = a * y + noise * normal(random);
    }
    return sums;
  };
  return job;
}

TEST(SampleTimes, AreThoseOfSeriesWithKnownAutocorrelationTimes) {
  const std::vector<SampleTimes> all = sample_times(autoregressive().make());
  for (const std::string quantity : {"tau_int_e", "tau_int_m"}) {
    statistics::Moments found[3];
    for (const SampleTime& one : of(all, quantity).samples) {
      found[one.sample % 3].add(one.value);
      EXPECT_EQ(one.bin_sweeps, 15000);
      EXPECT_FALSE(one.lower_bound);
    }
    for (int kind = 0; kind < 3; ++kind) {
      const double tau = exact_tau(factors[kind]);
      EXPECT_NEAR(found[kind].mean(), tau, 4 * std::sqrt(found[kind].squared_error())) << quantity << " " << tau;
      // Two sets, so one degree of freedom in each of four independent slots.
      EXPECT_NEAR(std::sqrt(found[kind].variance()) / tau, std::sqrt(2.0 / 4), 0.3) << quantity << " " << tau;
    }
  }
}

TEST(SampleTimes, SaturateAtHalfTheBinWhereSetsAreTrapped) {
  const std::vector<SampleTimes> all = sample_times(test::scattered(2).make());
  for (const SampleTime& one : of(all, "tau_int_m").samples) EXPECT_NEAR(one.value, 400, 1e-6) << "half of 800 sweeps";
}

TEST(SampleTimes, HaveRoundTripsPerSampleAndALowerBoundWhereThereIsNone) {
  test::TemperingFile job;
  io::LabelledFile file = job.make();
  for (io::Dataset& dataset : file.datasets)
    if (dataset.name == "round_trips") {
      auto& trips = std::get<std::vector<std::int32_t>>(dataset.values);
      const std::size_t last = trips.size() - 2 * 64;
      trips[last] = trips[last + 1] = 0;         // sample 0
      trips[last + 2] = 3, trips[last + 3] = 5;  // sample 1
    }
  const std::vector<SampleTimes> all = sample_times(file);
  const SampleTimes& times = of(all, "round_trip_time");
  EXPECT_TRUE(times.samples[0].lower_bound);
  EXPECT_DOUBLE_EQ(times.samples[0].value, 800 * 4 * 2) << "sweeps x slots x sets";
  EXPECT_FALSE(times.samples[1].lower_bound);
  EXPECT_DOUBLE_EQ(times.samples[1].value, 800);
  EXPECT_EQ(slowest(times, 2)[0].sample, 0);
  EXPECT_EQ(slowest(times, 2).size(), 2u);
  const std::vector<TimeBin> bins = histogram(times);
  std::int64_t samples = 0, bounds = 0;
  for (const TimeBin& bin : bins) {
    samples += bin.samples;
    bounds += bin.lower_bounds;
  }
  EXPECT_EQ(samples, 64);
  EXPECT_EQ(bounds, 1);
  EXPECT_EQ(bins.back().samples, 1);
  EXPECT_LE(bins.front().from, std::log10(800));
}

TEST(SampleTimes, CountTheLengthOfSamplesThatWentOn) {
  test::TemperingFile job = test::scattered(0.1);
  job.times_longer = 4;
  const std::vector<SampleTimes> all = sample_times(job.make());
  for (const SampleTime& one : of(all, "tau_int_m").samples) {
    EXPECT_EQ(one.bin_sweeps, one.sample % 2 == 1 ? 3200 : 800);
    EXPECT_NEAR(one.value, 0.05 / 1.05 * one.bin_sweeps, 1e-6) << "0.05 is added to the variance";
  }
  // A sample makes as many trips a sweep as before.
  EXPECT_DOUBLE_EQ(of(all, "round_trip_time").samples[1].value, 800.0 * 4 * 2 / 4);
}

/// Four sets of a spin glass at one slot in one bin of 100 sweeps.
io::LabelledFile four_sets() {
  test::SyntheticJob header;
  header.L = 4;
  header.samples = 1;
  header.moments = {100};
  io::LabelledFile file = test::synthetic_header(header);
  for (io::Axis& axis : file.axes)
    if (axis.name == "time") axis.name = "bin";
  file.attributes["method"] = std::string("tempering");
  file.attributes["exchange_interval"] = std::int64_t{10};
  file.axes.push_back({"set", std::vector<std::int64_t>{0, 1, 2, 3}, "", ""});
  file.axes.push_back({"pair", std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}, "", ""});
  file.datasets.push_back({"measurements", {"bin"}, std::vector<std::int64_t>{1}, "", ""});
  const auto add = [&](const char* name, const char* axis, const std::vector<double>& values) {
    file.datasets.push_back({name, {"temperature", "bin", "sample", axis}, values, "", ""});
  };
  const double N = 64;
  add("bond_sum", "set", {80, 82, 84, 86});
  add("bond_sum_2", "set", {7000, 7000, 7000, 7000});
  add("magnetization_2", "set", {N, N, N, N});
  // q^2 of the pairs (0,1), (0,2), (0,3), (1,2), (1,3), (2,3)
  std::vector<double> squares = {0.3, 0.35, 0.4, 0.45, 0.5, 0.5}, fourths(6, 0.25);
  for (double& one : squares) one *= N * N;
  for (double& one : fourths) one *= std::pow(N, 4);
  add("overlap_2", "pair", squares);
  add("overlap_4", "pair", fourths);
  return file;
}

TEST(SampleTimes, OfTheOverlapComeFromPairsWithoutACommonSet) {
  const std::vector<SampleTimes> all = sample_times(four_sets());
  const double gap = (std::pow(0.2, 2) + std::pow(0.15, 2) + std::pow(0.05, 2)) / 6;
  const double product = (0.3 * 0.5 + 0.35 * 0.5 + 0.4 * 0.45) / 3;
  EXPECT_NEAR(of(all, "tau_int_q2").samples[0].value, 50 * gap / (0.25 - product), 1e-9);
  const double gap_B = (3 * 4 + 2 * 16 + 36) / 12.0,
               mean = (80 * 82 + 80 * 84 + 80 * 86 + 82 * 84 + 82 * 86 + 84 * 86) / 6.0;
  EXPECT_NEAR(of(all, "tau_int_e").samples[0].value, 50 * gap_B / (7000 - mean), 1e-9);
  EXPECT_THROW(of(all, "round_trip_time"), std::out_of_range) << "one slot";
}

TEST(SampleTimes, OfSeveralFilesAreThoseOfOne) {
  test::TemperingFile whole, first, second;
  first.samples = second.first_sample = 20;
  second.samples = 44;
  JoinedSampleTimes joined;
  joined.add(second.make());
  joined.add(first.make());
  const std::vector<SampleTimes> expected = sample_times(whole.make());
  ASSERT_EQ(joined.times().size(), expected.size());
  for (std::size_t q = 0; q < expected.size(); ++q)
    for (std::size_t s = 0; s < 64; ++s) {
      EXPECT_EQ(joined.times()[q].samples[s].sample, expected[q].samples[s].sample);
      EXPECT_EQ(joined.times()[q].samples[s].value, expected[q].samples[s].value);
    }
  test::expect_sentence(test::refusal([&] { joined.add(first.make()); }), "both hold the sample 0");
  test::TemperingFile other;
  other.first_sample = 64;
  other.temperatures = {0.8, 0.9, 1.0, 1.2};
  test::expect_sentence(test::refusal([&] { joined.add(other.make()); }), "their temperatures differ");
  other.model.h = 0.06;
  test::expect_sentence(test::refusal([&] { joined.add(other.make()); }), "their h differs");
}

TEST(SampleTimes, HaveQuantilesBetweenRanks) {
  SampleTimes times{"x", {}};
  for (const double value : {4.0, 1.0, 2.0, 3.0, statistics::unknown}) times.samples.push_back({0, 1, value, false});
  EXPECT_EQ(quantile(times, 0), 1);
  EXPECT_EQ(quantile(times, 0.5), 2.5);
  EXPECT_EQ(quantile(times, 1), 4);
  EXPECT_EQ(slowest(times, 9).size(), 4u) << "unknown times are left out";
  EXPECT_TRUE(std::isnan(quantile({"y", {}}, 0.5)));
  EXPECT_TRUE(histogram({"y", {}}).empty());
}

TEST(SampleTimes, OfOtherMethodsAreRefused) {
  test::SyntheticJob job;
  const io::LabelledFile file =
      test::synthetic_ea3d(job, test::gaussian_overlaps(job, [](std::size_t) { return 2.0; }));
  test::expect_sentence(test::refusal([&] { sample_times(file); }), "holds relaxation of ea3d");
}

}  // namespace
}  // namespace psflip::analysis
