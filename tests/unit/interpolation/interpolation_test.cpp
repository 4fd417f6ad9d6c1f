#include "analysis/interpolation/interpolation.hpp"

#include <gtest/gtest.h>

#include "analysis/models/reduce.hpp"
#include "tests/unit/analysis/synthetic_tempering.hpp"
#include "tests/unit/expect_sentence.hpp"
#include "tests/unit/interpolation/made_up_slots.hpp"

namespace psflip::analysis {
namespace {

const std::vector<double> temperatures = {1.0, 1.1, 1.25, 1.3, 1.5, 1.6};

/// m2 is a polynomial in beta; blocks differ by a part of it.
std::vector<Ensemble> polynomial_in_beta(int degree) {
  return test::made_up_slots("ising2d", 4, temperatures, 20, {"e", "m2"},
                             [=](const std::string& quantity, double T, Eigen::Index block) {
                               if (quantity == "e") return -1.0;
                               return (1 + 0.1 * std::cos(1.7 * static_cast<double>(block))) * std::pow(1 / T, degree);
                             });
}

/// The mean of the parts by which the blocks differ.
double mean_part() {
  double sum = 0;
  for (int block = 0; block < 20; ++block) sum += (1 + 0.1 * std::cos(1.7 * block)) / 20;
  return sum;
}

TEST(Interpolation, IsExactForACubicInBetaEverywhereInTheGrid) {
  const auto found = interpolate_observables(polynomial_in_beta(3), {"m2"}, {1.0, 1.02, 1.2, 1.27, 1.4, 1.59, 1.6});
  for (const InterpolatedRow& row : found.rows) {
    EXPECT_NEAR(row.estimate.value, mean_part() * std::pow(row.temperature, -3), 1e-12) << row.temperature;
    EXPECT_NEAR(row.systematic, 0, 1e-12);
    EXPECT_FALSE(row.from_slopes);
    EXPECT_EQ(row.order, 3);
    EXPECT_EQ(row.equilibrated, std::nullopt) << "without a test of the slots";
  }
  EXPECT_EQ(found.rows[2].T_min, 1.0) << "two slots on either side";
  EXPECT_EQ(found.rows[2].T_max, 1.3);
  EXPECT_EQ(found.rows[0].T_max, 1.0) << "the slot itself";
}

TEST(Interpolation, HasASystematicErrorOfTheSizeOfItsErrorForTheNextOrder) {
  const auto found = interpolate_observables(polynomial_in_beta(4), {"m2"}, {1.05, 1.2, 1.4, 1.55});
  for (const InterpolatedRow& row : found.rows) {
    const double error = std::abs(row.estimate.value - mean_part() * std::pow(row.temperature, -4));
    EXPECT_GT(error, 1e-7) << row.temperature;
    EXPECT_NEAR(row.systematic, error, 1e-10) << "a polynomial through five slots is exact";
  }
}

TEST(Interpolation, TakesMeasuredSlopesAndGivesTheSameEnergyAsACubicInT) {
  // e = T^3, whose derivative C = beta^2 N (<e^2> - <e>^2) is 3 T^2.
  const auto slots = test::made_up_slots("ising2d", 4, {1.0, 1.3, 2.0}, 20, {"e", "m2", "e_2", "e_x_e"},
                                         [](const std::string& quantity, double T, Eigen::Index) {
                                           if (quantity == "e_2") return std::pow(T, 6) + 3 * std::pow(T, 4) / 16;
                                           if (quantity == "e_x_e") return std::pow(T, 6);
                                           return quantity == "e" ? std::pow(T, 3) : 1.0;
                                         });
  const auto found = interpolate_observables(slots, {"e", "m2"}, {1.1, 1.9});
  ASSERT_EQ(found.rows.size(), 4u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(found.rows[i].from_slopes);
    EXPECT_NEAR(found.rows[i].estimate.value, std::pow(found.rows[i].temperature, 3), 1e-12);
    EXPECT_NEAR(found.rows[i].systematic, 0, 1e-11);
  }
  EXPECT_EQ(found.rows[2].order, 2) << "three slots";
}

/// The next order, e = T^4, is not exact: the cubic of two slots a and b misses (T - a)^2 (T - b)^2, which the third
/// slot shows.
TEST(Interpolation, FindsTheErrorOfACubicFromAThirdSlot) {
  const auto slots = test::made_up_slots("ising2d", 4, {1.0, 1.3, 2.0}, 20, {"e", "e_2", "e_x_e"},
                                         [](const std::string& quantity, double T, Eigen::Index) {
                                           if (quantity == "e_2") return std::pow(T, 8) + 4 * std::pow(T, 5) / 16;
                                           return std::pow(T, quantity == "e" ? 4 : 8);
                                         });
  const auto found = interpolate_observables(slots, {"e"}, {1.1, 1.9});
  EXPECT_NEAR(found.rows[0].systematic, 0.0004, 1e-10);
  EXPECT_NEAR(found.rows[1].systematic, 0.0036, 1e-10);
}

TEST(Interpolation, OfTwoSlotsHasTheDifferenceToParabolasAsSystematicError) {
  const auto slots = test::made_up_slots("ising2d", 4, {1.0, 2.0}, 20, {"e", "e_2", "e_x_e"},
                                         [](const std::string& quantity, double T, Eigen::Index) {
                                           if (quantity == "e_2") return std::pow(T, 6) + 3 * std::pow(T, 4) / 16;
                                           return quantity == "e" ? std::pow(T, 3) : std::pow(T, 6);
                                         });
  const auto found = interpolate_observables(slots, {"e"}, {1.5});
  // With the slope 3 at T = 1 the parabola has 1 + 1.5 + 4 / 4, with 12 at T = 2 it has 8 - 6 + 5 / 4.
  EXPECT_NEAR(found.rows[0].systematic, std::max(std::abs(3.5 - 3.375), std::abs(3.25 - 3.375)), 1e-12);
}

TEST(Interpolation, IsThatOfCrossingsForU4AndGoesThroughTheExactCurve) {
  test::TemperingFile job;
  job.temperatures = {0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.1};
  const std::vector<Ensemble> slots = reduce(job.make(), {});
  const auto found = interpolate_observables(slots, {"U4", "g"}, {0.93, 1.02});
  for (std::size_t i = 0; i < 2; ++i) {
    const InterpolatedRow &U4 = found.rows[i], &g = found.rows[i + 2];
    EXPECT_NEAR(U4.estimate.value, test::exact_U4(job.model, U4.temperature), 1e-4);
    EXPECT_LT(U4.systematic, 1e-4);
    EXPECT_NEAR(g.estimate.value, (3 - U4.estimate.value) / 2, 1e-12) << "one is a function of the other";
    EXPECT_EQ(U4.equilibrated, true);
  }
}

TEST(Interpolation, GivesCovariancesOfOneDataSet) {
  const auto found = interpolate_observables(polynomial_in_beta(3), {"m2", "chi"}, {1.2, 1.4});
  ASSERT_EQ(found.covariance.rows(), 4);
  for (Eigen::Index i = 0; i < 4; ++i) {
    const double error = found.rows[static_cast<std::size_t>(i)].estimate.error;
    EXPECT_NEAR(found.covariance(i, i), error * error, 1e-12 * error * error);
  }
  // The blocks scale all numbers by the same factors.
  EXPECT_NEAR(found.covariance(0, 3), std::sqrt(found.covariance(0, 0) * found.covariance(3, 3)), 1e-10);
  EXPECT_NEAR(found.covariance(0, 2), 16 * found.covariance(0, 0), 1e-10) << "chi = N m2";
}

TEST(Interpolation, IsEquilibratedOnlyIfAllSlotsThatEnterAre) {
  test::TemperingFile job;
  job.temperatures = {0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.1};
  job.averages = [model = job.model](double T, std::size_t bin, std::int64_t sample, int) {
    test::SetValues values = model.averages(T, sample);
    if (T == 1.0 && bin < 4)
      for (const std::size_t i : {7, 8}) values[i] *= 0.5;  // M^2 and M^4 have not settled
    return values;
  };
  const auto found =
      interpolate_observables(reduce(job.make(), {}), {"U4", "m2"}, {0.85, 0.87, 0.92, 0.97, 1.0, 1.02, 1.07});
  const std::vector<bool> U4 = {true, true, true, false, false, false, true};
  const std::vector<bool> m2 = {true, true, false, false, false, false, false};
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(found.rows[i].equilibrated, U4[i]) << found.rows[i].temperature;
    EXPECT_EQ(found.rows[i + 7].equilibrated, m2[i]) << found.rows[i].temperature;
  }
}

TEST(Interpolation, RefusesInASentence) {
  const auto expect = [](const std::vector<Ensemble>& slots, const std::string& observable, double T,
                         const std::string& words) {
    test::expect_sentence(test::refusal([&] { interpolate_observables(slots, {observable}, {T}); }), words);
  };
  const std::vector<Ensemble> slots = polynomial_in_beta(1);
  expect(slots, "m2", 0.99, "between T = 1 and 1.6");
  expect(slots, "m2", 1.61, "between T = 1 and 1.6");
  expect(slots, "q_link", 1.2, "has no sums for q_link");
  expect(slots, "tau_int_e", 1.2, "belongs to the slots of a grid");
  expect(slots, "exchange_rate", 1.2, "belongs to the slots of a grid");
  expect({slots[0]}, "m2", 1.0, "it has 1 temperature slot, but 2 are needed");
  std::vector<Ensemble> two_sizes = slots;
  two_sizes.back().attributes["L"] = std::int64_t{6};
  expect(two_sizes, "m2", 1.2, "their L differs (4 and 6)");
  std::vector<Ensemble> other_samples = slots;
  other_samples.back().blocks.ids.back() = 77;
  expect(other_samples, "m2", 1.2, "stand on different samples");
  std::vector<Ensemble> equilibrium = slots;
  for (Ensemble& one : equilibrium) one.attributes["method"] = std::string("equilibrium");
  expect(equilibrium, "m2", 1.2, "holds equilibrium of ising2d");
}

}  // namespace
}  // namespace psflip::analysis
