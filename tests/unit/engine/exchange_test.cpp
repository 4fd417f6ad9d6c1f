#include "engine/core/exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/core/fourier.hpp"
#include "engine/cpu/samples/exchange_decisions.hpp"
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

/// The lanes of one call of decide_exchanges.
struct Lanes {
  std::vector<std::uint32_t> numbers;
  std::vector<std::int32_t> cold_bonds, hot_bonds, cold_fields, hot_fields;

  void add(std::uint64_t number, std::int32_t dB, std::int32_t dF) {
    if (number >> 32 != 0) return;  // below 0 or above the largest number
    numbers.push_back(static_cast<std::uint32_t>(number));
    cold_bonds.push_back(7 - dB);
    hot_bonds.push_back(7);
    cold_fields.push_back(-3);
    hot_fields.push_back(dF - 3);
  }
  std::vector<std::int32_t> decisions(const cpu::ExchangePair& pair) const {
    std::vector<std::int32_t> accepted(numbers.size());
    cpu::decide_exchanges(pair, static_cast<int>(numbers.size()), numbers.data(), cold_bonds.data(), hot_bonds.data(),
                          cold_fields.data(), hot_fields.data(), accepted.data());
    return accepted;
  }
};

TEST(DecideExchanges, in_many_lanes_decides_as_the_integers_next_to_the_threshold_and_far_from_it) {
  const System s = system_of(16, 0.7, 1.3, {0.30, 0.27});
  const ExchangeTable table = make_exchange_table(s);
  const cpu::ExchangePair pair(table.weights[0], table.shift);
  int accepted = 0, rejected = 0;
  for (std::int32_t dB = -4000; dB <= 400; dB += 4) {
    for (const std::int32_t dF : {-30, 0, 50}) {
      const std::int64_t x = pair.weights.bond * dB + pair.weights.field * dF;
      const std::uint64_t threshold = exchange_threshold(x, pair.shift);
      Lanes near, far;
      for (const std::uint64_t number : {threshold - 1, threshold, threshold + 1}) near.add(number, dB, dF);
      for (const double factor : {0.0, 0.5, 0.99, 1.01, 2.0, 1e6})
        far.add(static_cast<std::uint64_t>(factor * static_cast<double>(threshold)), dB, dF);
      for (const Lanes* lanes : {&near, &far}) {
        const std::vector<std::int32_t> decisions = lanes->decisions(pair);
        for (std::size_t lane = 0; lane < decisions.size(); ++lane)
          EXPECT_EQ(decisions[lane], lanes->numbers[lane] < threshold ? -1 : 0) << dB << ", " << dF << ", " << lane;
        accepted += static_cast<int>(std::count(decisions.begin(), decisions.end(), -1));
        rejected += static_cast<int>(std::count(decisions.begin(), decisions.end(), 0));
      }
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(rejected, 1000);
}

TEST(DecideExchanges, bounds_the_threshold_by_a_power_of_two_in_double) {
  for (double y = 0; y <= 64; y += 0.0137) {
    const double exact = std::ldexp(std::exp2(-y), 32);
    EXPECT_NEAR(cpu::scaled_exp2_of_minus(y), exact, 1e-7 * exact) << y;
  }
}

TEST(FieldThresholds, depend_on_the_sum_of_unsatisfied_bonds_and_field_for_h_equal_to_J_only) {
  const auto at = [](double J, double h) { return make_field_thresholds(system_of(4, J, h, {0.3}), 0.3); };
  EXPECT_TRUE(allows_equal_field(at(1, 1)));
  EXPECT_TRUE(allows_equal_field(at(2.5, 2.5)));
  EXPECT_FALSE(allows_equal_field(at(1, 0.9)));
  EXPECT_FALSE(allows_equal_field(at(1, 0)));
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
