#include <gtest/gtest.h>

#include <map>
#include <numbers>
#include <numeric>
#include <random>

#include "analysis/crossing/tempered_crossing.hpp"
#include "analysis/interpolation/interpolation.hpp"
#include "analysis/models/reduce.hpp"
#include "tests/unit/analysis/synthetic_tempering.hpp"
#include "tests/unit/interpolation/made_up_slots.hpp"

// Errors cover the truth at their stated rate: synthetic runs of the exactly solvable model, whose samples scatter.
namespace psflip::analysis {
namespace {

constexpr int data_sets = 240;

/// A model without a field, so that samples differ by the noise alone.
class NoisyModel {
 public:
  NoisyModel(std::int64_t L, std::vector<double> temperatures)
      : model_{L, 1, 0}, temperatures_(std::move(temperatures)) {
    for (const double T : temperatures_) exact_[T] = model_.averages(T, 0);
  }

  /// Each sample scales M^2, M^4 and K of all slots by factors of its own, as disorder does, and those of each slot by
  /// others. The means of all factors are 1, so the averages are the exact ones.
  std::vector<Ensemble> run(std::mt19937_64& random, double scale = 1) const {
    std::normal_distribution<double> normal(0, scale);
    std::map<std::pair<double, std::int64_t>, std::array<double, 3>> factors;
    for (std::int64_t sample = 0; sample < test::blocks_of_coverage; ++sample) {
      const double common = normal(random), other = normal(random);
      for (const double T : temperatures_)
        factors[{T, sample}] = {
            factor({0.2 * common, 0.05 * normal(random)}, scale * scale * (0.2 * 0.2 + 0.05 * 0.05)),
            factor({0.3 * common, 0.1 * other, 0.05 * normal(random)},
                   scale * scale * (0.3 * 0.3 + 0.1 * 0.1 + 0.05 * 0.05)),
            factor({0.1 * other, 0.05 * normal(random)}, scale * scale * (0.1 * 0.1 + 0.05 * 0.05))};
    }
    test::TemperingFile job;
    job.model = model_;
    job.temperatures = temperatures_;
    job.samples = test::blocks_of_coverage;
    job.measurements = {10};
    job.averages = [&](double T, std::size_t, std::int64_t sample, int) {
      test::SetValues values = exact_.at(T);
      const auto& [square, fourth, wave] = factors.at({T, sample});
      for (const std::size_t i : {7, 10, 13}) values[i] *= square;
      for (const std::size_t i : {8, 11, 14}) values[i] *= fourth;
      for (const std::size_t i : {9, 12, 15}) values[i] *= wave;
      return values;
    };
    return reduce(job.make(), {});
  }

  double U4(double T) const { return test::exact_U4(model_, T); }
  double xi_over_L(double T) const {
    const double m2 = test::exact_m2(model_, T), ratio = model_.sites() * m2 / (1 + m2),
                 L = static_cast<double>(model_.L);
    return std::sqrt(ratio - 1) / (2 * L * std::sin(std::numbers::pi / L));
  }
  double m2(double T) const { return test::exact_m2(model_, T); }

 private:
  /// A positive number of mean 1 from independent Gaussian numbers with this sum of variances.
  static double factor(std::initializer_list<double> parts, double variance) {
    return std::exp(std::accumulate(parts.begin(), parts.end(), -variance / 2));
  }

  test::CurieWeiss model_;
  std::vector<double> temperatures_;
  std::map<double, test::SetValues> exact_;
};

TEST(Coverage, OfInterpolatedObservablesIsThatOfTheirErrors) {
  const NoisyModel model(4, test::grid(0.8, 1.2, 9));
  std::mt19937_64 random(2024);
  std::map<std::string, test::Coverage> found;
  for (int set = 0; set < data_sets; ++set) {
    const auto rows = interpolate_observables(model.run(random), {"U4", "xi_over_L", "m2"}, {0.93, 1.0}).rows;
    for (const InterpolatedRow& row : rows) {
      const double T = row.temperature;
      const double truth = row.observable == "U4"   ? model.U4(T)
                           : row.observable == "m2" ? model.m2(T)
                                                    : model.xi_over_L(T);
      ASSERT_LT(row.systematic, 0.5 * row.estimate.error);
      found[row.observable + (T == 1.0 ? " at a slot" : " between slots")].add(row.estimate.value, row.estimate.error,
                                                                               truth);
    }
  }
  EXPECT_EQ(found.size(), 6u);
  for (const auto& [name, coverage] : found)
    EXPECT_TRUE(coverage.is_right()) << name << ": " << coverage.within_one << " and " << coverage.within_two << " of "
                                     << coverage.trials;
}

TEST(Coverage, OfCrossingsIsThatOfTheirErrors) {
  const NoisyModel small(4, test::grid(0.85, 1.15, 11)), large(8, test::grid(0.85, 1.15, 13));
  double low = 0.9, high = 1.1;
  for (int step = 0; step < 50; ++step) {
    const double middle = 0.5 * (low + high);
    (large.U4(middle) < small.U4(middle) ? low : high) = middle;
  }
  std::mt19937_64 random(7);
  test::Coverage temperature, value;
  for (int set = 0; set < data_sets; ++set) {
    std::vector<Ensemble> both = small.run(random, 0.2);
    for (Ensemble& one : large.run(random, 0.2)) both.push_back(std::move(one));
    const auto found = tempered_crossings(tempered_curves_of(both, "U4"));
    ASSERT_EQ(found.size(), 1u);
    temperature.add(found[0].temperature.value, found[0].temperature.error, low);
    value.add(found[0].value.value, found[0].value.error, small.U4(low));
  }
  EXPECT_TRUE(temperature.is_right()) << temperature.within_one << " and " << temperature.within_two;
  EXPECT_TRUE(value.is_right()) << value.within_one << " and " << value.within_two;
}

TEST(Coverage, OfErrorsThatAreTooSmallIsNotRight) {
  std::mt19937_64 random(3);
  std::student_t_distribution<double> student(31);
  test::Coverage right, small;
  for (int set = 0; set < data_sets; ++set) {
    const double value = student(random);
    right.add(value, 1, 0);
    small.add(value, 0.75, 0);
  }
  EXPECT_TRUE(right.is_right());
  EXPECT_FALSE(small.is_right());
}

}  // namespace
}  // namespace psflip::analysis
