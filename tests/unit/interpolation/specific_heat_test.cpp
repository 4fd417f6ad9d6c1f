#include "analysis/interpolation/specific_heat.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "tests/exact/references/kaufman.hpp"
#include "tests/unit/expect_sentence.hpp"
#include "tests/unit/interpolation/made_up_slots.hpp"

namespace psflip::analysis {
namespace {

constexpr int L = 16;

/// The formula takes long.
const exact::Thermal& exactly(double T) {
  static std::map<double, exact::Thermal> known;
  const auto found = known.find(T);
  return found != known.end() ? found->second : known.emplace(T, exact::kaufman(L, L, 1 / T)).first->second;
}

/// Slots of the square lattice with the exact energy and specific heat, to which `noise(T, block)` is added.
std::vector<Ensemble> exact_slots(const std::vector<double>& temperatures, const auto& noise) {
  return test::made_up_slots("ising2d", L, temperatures, test::blocks_of_coverage, {"e", "e_2", "e_x_e"},
                             [&](const std::string& quantity, double T, Eigen::Index block) {
                               const exact::Thermal& at = exactly(T);
                               const double square = at.energy * at.energy;
                               if (quantity == "e_2") return square + at.specific_heat * T * T / (L * L);
                               return quantity == "e" ? at.energy + noise(T, block) : square;
                             });
}

double no_noise(double, Eigen::Index) { return 0; }

std::vector<SpecificHeat> rows_of(const std::vector<SpecificHeat>& all, const std::string& observable) {
  std::vector<SpecificHeat> rows;
  std::copy_if(all.begin(), all.end(), std::back_inserter(rows),
               [&](const SpecificHeat& row) { return row.observable == observable; });
  return rows;
}

double exact_C(double T) { return exactly(T).specific_heat; }

TEST(SpecificHeat, FromTheDerivativeIsExactUpToItsSystematicError) {
  const auto all = specific_heats(exact_slots(test::grid(2.0, 2.6, 13), no_noise));
  ASSERT_EQ(all.size(), 39u);
  for (const SpecificHeat& row : rows_of(all, "C_derivative")) {
    const double error = std::abs(row.estimate.value - exact_C(row.temperature));
    EXPECT_LT(error, 2 * row.systematic) << row.temperature << " " << error << " " << row.systematic;
    EXPECT_LT(error, 0.05) << row.temperature;
    EXPECT_EQ(row.order, 4);
  }
  for (const SpecificHeat& row : rows_of(all, "C"))
    EXPECT_NEAR(row.estimate.value, exact_C(row.temperature), 1e-9) << "from the variance";
}

TEST(SpecificHeat, FromTheDerivativeConvergesWithTheFourthPowerOfTheDistanceOfTheSlots) {
  const auto error_at_center = [](std::size_t slots) {
    const auto rows = rows_of(specific_heats(exact_slots(test::grid(2.0, 2.6, slots), no_noise)), "C_derivative");
    return std::abs(rows[slots / 2].estimate.value - exact_C(rows[slots / 2].temperature));
  };
  EXPECT_GT(error_at_center(13) / error_at_center(25), 10);
}

TEST(SpecificHeat, FromTheDerivativeIsExactForAQuarticInBeta) {
  const auto slots =
      test::made_up_slots("ising2d", 4, {1.0, 1.2, 1.3, 1.6, 1.8, 2.0, 2.5, 3.0}, 20, {"e"},
                          [](const std::string&, double T, Eigen::Index) { return -std::pow(1 / T, 4) + 0.5 / T; });
  for (const SpecificHeat& row : specific_heats(slots)) {
    EXPECT_EQ(row.observable, "C_derivative") << "without the variance";
    const double beta = 1 / row.temperature;
    EXPECT_NEAR(row.estimate.value, beta * beta * (4 * std::pow(beta, 3) - 0.5), 1e-10);
  }
}

TEST(SpecificHeat, FromTheDerivativeAgreesWithTheSquareLatticeWithinItsErrors) {
  const std::vector<double> temperatures = test::grid(2.1, 2.5, 21);
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  test::Coverage center, coldest;
  for (int set = 0; set < 240; ++set) {
    std::vector<double> common(test::blocks_of_coverage);
    for (double& one : common) one = 0.02 * normal(random);
    const auto noise = [&](double, Eigen::Index block) {
      return common[static_cast<std::size_t>(block)] + 0.01 * normal(random);
    };
    const auto rows = rows_of(specific_heats(exact_slots(temperatures, noise)), "C_derivative");
    for (const auto& [slot, coverage] : {std::pair{10, &center}, std::pair{0, &coldest}}) {
      const SpecificHeat& row = rows[static_cast<std::size_t>(slot)];
      coverage->add(row.estimate.value, row.estimate.error, exact_C(row.temperature));
    }
  }
  EXPECT_TRUE(center.is_right()) << center.within_one << " and " << center.within_two;
  EXPECT_TRUE(coldest.is_right()) << coldest.within_one << " and " << coldest.within_two;
}

TEST(SpecificHeat, OfTwoSlotsHasNoSystematicErrorAndOfOneIsRefused) {
  const auto two = rows_of(specific_heats(exact_slots({2.0, 2.1}, no_noise)), "C_derivative");
  ASSERT_EQ(two.size(), 2u);
  EXPECT_TRUE(std::isnan(two[0].systematic));
  EXPECT_EQ(two[0].order, 1);
  test::expect_sentence(test::refusal([] { specific_heats(exact_slots({2.0}, no_noise)); }),
                        "it has 1 temperature slot");
}

}  // namespace
}  // namespace psflip::analysis
