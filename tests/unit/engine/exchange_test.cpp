#include "engine/core/exchange.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/fourier.hpp"
#include "engine/models/tables.hpp"

namespace psflip {
namespace {

TEST(ExchangeThreshold, is_the_acceptance_probability_to_one_unit_in_2_to_the_32) {
  for (const int shift : {32, 41, 52}) {
    for (double minus_log2 = 1e-9; minus_log2 < 34; minus_log2 = minus_log2 * 1.01 + 1e-4) {
      const auto x = static_cast<std::int64_t>(std::ldexp(minus_log2, shift));
      const double exact = std::ldexp(std::exp2(-std::ldexp(static_cast<double>(x), -shift)), 32);
      ASSERT_GT(x, 0);
      EXPECT_NEAR(static_cast<double>(exchange_threshold(x, shift)), exact, 1.5) << x << ", " << shift;
    }
  }
}

TEST(ExchangeThreshold, accepts_what_costs_nothing_and_never_what_has_no_chance) {
  constexpr std::uint64_t always = std::uint64_t{1} << 32;
  EXPECT_EQ(exchange_threshold(0, 40), always);
  EXPECT_EQ(exchange_threshold(-1, 40), always);
  EXPECT_EQ(exchange_threshold(INT64_MIN, 40), always);
  EXPECT_EQ(exchange_threshold(std::int64_t{32} << 40, 40), 1U);
  EXPECT_EQ(exchange_threshold((std::int64_t{32} << 40) + (std::int64_t{1} << 39), 40), 0U);
  EXPECT_EQ(exchange_threshold(std::int64_t{33} << 40, 40), 0U);
  EXPECT_EQ(exchange_threshold(INT64_MAX, 32), 0U);
}

TEST(ExchangeThreshold, never_grows_with_the_cost) {
  std::uint64_t last = std::uint64_t{1} << 32;
  for (std::int64_t x = 1; x < std::int64_t{40} << 32; x += 30000001) {
    const std::uint64_t threshold = exchange_threshold(x, 32);
    EXPECT_LE(threshold, last);
    last = threshold;
  }
}

System system_of(int L, double J, double h, std::vector<double> betas, Model model = Model::rfim3d) {
  System system;
  system.model = model;
  system.L = L;
  system.J = J;
  system.h = h;
  system.betas = std::move(betas);
  return system;
}

void expect_exponents(const System& s) {
  const ExchangeTable table = make_exchange_table(s);
  const auto N = static_cast<std::int64_t>(s.sites());
  for (std::size_t k = 0; k < 2; ++k) {
    for (const std::int64_t dB : {-2 * s.dimension() * N, -N / 10, std::int64_t{-12}, N / 7}) {
      for (const std::int64_t dF : {-2 * N, std::int64_t{4}, N / 9}) {
        const double exponent = (s.betas[k + 1] - s.betas[k]) * -(s.J * double(dB) + s.h * double(dF));  // <= 0: costs
        const double x = std::ldexp(double(table.weights[k].bond * dB + table.weights[k].field * dF), -table.shift);
        EXPECT_NEAR(-x * std::numbers::ln2, exponent, 1e-8 * (1 + std::abs(exponent)))
            << s.L << ", " << dB << ", " << dF;
      }
    }
  }
}

TEST(ExchangeTable, weights_times_energies_are_the_exponent_of_the_exchange) {
  const Model square = unnamed_preset(2, ModelCouplings::random_bonds, ModelField::uniform).model;
  for (const int L : {4, 16, 64, 256})
    for (const Model model : {Model::rfim3d, square})
      expect_exponents(system_of(L, 0.7, 1.3, {0.30, 0.27, 0.265}, model));
}

TEST(ExchangeTable, the_scale_leaves_room_for_the_largest_energies) {
  const ExchangeTable near = make_exchange_table(system_of(4, 1, 0, {0.25, 0.2499}));
  EXPECT_EQ(near.shift, 52);
  const System far = system_of(256, 1, 1, {100, 0.1});
  const ExchangeTable table = make_exchange_table(far);
  const double largest = std::abs(double(table.weights[0].bond)) * 6 * double(far.sites()) +
                         std::abs(double(table.weights[0].field)) * 2 * double(far.sites());
  EXPECT_LT(largest, std::ldexp(1.0, 62));
  EXPECT_GT(largest, std::ldexp(1.0, 60));
}

TEST(FieldThresholds, depend_on_the_sum_of_unsatisfied_bonds_and_field_for_h_equal_to_J_only) {
  const auto at = [](double J, double h) { return make_field_thresholds(system_of(4, J, h, {0.3}), 0.3); };
  EXPECT_TRUE(allows_equal_field(at(1, 1)));
  EXPECT_TRUE(allows_equal_field(at(2.5, 2.5)));
  EXPECT_FALSE(allows_equal_field(at(1, 0.9)));
  EXPECT_FALSE(allows_equal_field(at(1, 0)));
  for (const double h : {0.0, 0.5, 1.0, 2.0}) EXPECT_TRUE(allows_weak_field(at(1, h))) << h;
  for (const double h : {2.1, 7.0}) EXPECT_FALSE(allows_weak_field(at(1, h))) << h;
  EXPECT_FALSE(allows_weak_field(at(0, 1)));
}

TEST(FourierOfCubes, agrees_with_wide_arithmetic_up_to_the_largest_components) {
  __extension__ using Wide = __int128;
  std::uint64_t state = 1;
  const auto random = [&](std::int64_t limit) {
    state = splitmix64(state);
    return static_cast<std::int64_t>(state % static_cast<std::uint64_t>(2 * limit + 1)) - limit;
  };
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t limit = std::int64_t{1} << (i % 45);
    std::int64_t component[4][3];
    Wide sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      for (auto& c : component) c[axis] = i % 7 == 0 ? (i % 2 ? limit : -limit) : random(limit);
      sum += static_cast<Wide>(component[0][axis]) * component[2][axis] +
             static_cast<Wide>(component[1][axis]) * component[3][axis];
    }
    EXPECT_EQ(k2_of_cube(component[0], component[1], component[2], component[3], 3),
              static_cast<std::int64_t>(sum >> 30));
  }
}

}  // namespace
}  // namespace psflip
