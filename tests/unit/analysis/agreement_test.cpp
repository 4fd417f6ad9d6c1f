#include "analysis/crossing/agreement.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/models/reduce.hpp"
#include "engine/io/error.hpp"
#include "tests/unit/analysis/synthetic_tempering.hpp"

namespace psflip::analysis {
namespace {

using test::CurieWeiss;
using test::SetValues;
using test::TemperingFile;

const CurieWeiss model{4, 1, 0.05};

std::vector<Ensemble> slots_at(const std::vector<double>& temperatures) {
  TemperingFile job;
  job.model = model;
  job.temperatures = temperatures;
  return reduce(job.make(), {});
}

/// A run whose sets scatter about the exact averages, each sample in a way of its own: M^2 by a share `noise` of it.
std::vector<Ensemble> noisy(const std::vector<double>& temperatures, double noise, double phase) {
  TemperingFile job;
  job.model = model;
  job.temperatures = temperatures;
  job.averages = [=](double T, std::size_t, std::int64_t sample, int) {
    SetValues values = model.averages(T, sample);
    const double factor = 1 + noise * std::cos(2.4 * static_cast<double>(sample) + phase);
    for (const std::size_t i : {7, 10, 13}) values[i] *= factor;           // M^2, with B, with F
    for (const std::size_t i : {8, 11, 14}) values[i] *= factor * factor;  // M^4
    return values;
  };
  return reduce(job.make(), {});
}

std::vector<Agreement> agreement_in_U4(const std::vector<Ensemble>& one, const std::vector<Ensemble>& other) {
  require_same_samples(one, other);
  return agreement(tempered_curves_of(one, "U4").front(), tempered_curves_of(other, "U4").front());
}

TEST(Agreement, IsCompleteForExactRunsButForTheInterpolation) {
  const auto found = agreement_in_U4(slots_at({0.8, 0.9, 1.0, 1.1}), slots_at({0.85, 0.92, 0.98, 1.04}));
  ASSERT_EQ(found.size(), 2u) << "slots of the first inside the range of the other";
  EXPECT_EQ(found[0].temperature, 0.9);
  EXPECT_EQ(found[1].temperature, 1.0);
  for (const Agreement& at : found) {
    EXPECT_NEAR(at.value.value, test::exact_U4(model, at.temperature), 1e-3);
    EXPECT_NEAR(at.difference.value, 0, 1e-4);
    EXPECT_GT(at.value.error, 1e-3) << "of the disorder";
    EXPECT_LT(at.difference.error, 1e-4) << "which the difference is free of";
    EXPECT_EQ(at.equilibrated, true);
  }
}

TEST(Agreement, HasAnErrorThatFollowsTheHistories) {
  const std::vector<double> one = {0.8, 0.9, 1.0}, other = {0.82, 0.9, 0.98};
  const auto calm = agreement_in_U4(noisy(one, 0.001, 0), noisy(other, 0.001, 1))[0];
  const auto wild = agreement_in_U4(noisy(one, 0.02, 0), noisy(other, 0.02, 1))[0];
  EXPECT_NEAR(wild.difference.error / calm.difference.error, 20, 4);
  EXPECT_LT(std::abs(wild.difference.value), 3 * wild.difference.error);
  EXPECT_NEAR(wild.difference.value, wild.other.value - wild.value.value, 1e-4);
}

std::string refusal(const std::vector<Ensemble>& one, const std::vector<Ensemble>& other) {
  try {
    require_same_samples(one, other);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Agreement, IsRefusedForRunsOfOtherSamplesOrTheSameHistory) {
  const std::vector<Ensemble> one = slots_at({0.8, 0.9, 1.0});
  EXPECT_NE(refusal(one, one).find("they begin with the same random numbers"), std::string::npos);
  TemperingFile job;
  job.model = model;
  job.first_sample = 64;
  EXPECT_NE(refusal(one, reduce(job.make(), {})).find("samples or blocks differ"), std::string::npos);
  job.first_sample = 0;
  job.model.h = 0.1;
  EXPECT_NE(refusal(one, reduce(job.make(), {})).find("they differ in h"), std::string::npos);
  job.model = CurieWeiss{6, 1, 0.05};
  EXPECT_NE(refusal(one, reduce(job.make(), {})).find("they differ in L"), std::string::npos);
  job.model = model;
  job.temperatures = {1.1, 1.2};
  EXPECT_NE(refusal(one, reduce(job.make(), {})).find("do not overlap"), std::string::npos);
  std::vector<Ensemble> seeded = slots_at({0.8, 0.95, 1.0});
  EXPECT_EQ(refusal(one, seeded), "");
  seeded.front().attributes["seed"] = std::int64_t{99};
  EXPECT_NE(refusal(one, seeded).find("they differ in seed"), std::string::npos);
}

}  // namespace
}  // namespace psflip::analysis
