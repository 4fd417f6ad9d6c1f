#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "engine/laboratory/multi_hit/multi_hit.hpp"
#include "engine/laboratory/multi_hit/rounds.hpp"
#include "engine/laboratory/multi_hit/thread_numbers.hpp"
#include "engine/laboratory/multi_hit/tiles.hpp"
#include "engine/random/acceptance_threshold.hpp"

// The double checkerboard equals an oracle of the same order, and its generators have the sequences of their
// definitions.
namespace psflip::laboratory {
namespace {

constexpr std::uint32_t seed = 5;
constexpr double beta = 0.3;

/// Tries single sites of a lattice, without tiles, boundaries or copies: number n of a thread decides its visit n.
struct Oracle {
  int dimension, L, tile;
  std::map<std::array<int, 3>, int> spins;  ///< by x, y, z
  std::map<std::size_t, std::uint32_t> visits;

  int at(int x, int y, int z) const { return spins.at({(x + L) % L, (y + L) % L, (z + L) % L}); }

  void visit(int x, int y, int z) {
    int sum = at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z);
    if (dimension == 3) sum += at(x, y, z - 1) + at(x, y, z + 1);
    const int tiles = L / tile, depth = dimension == 3 ? tile : 1;
    const int block = (x / tile + tiles * (y / tile + tiles * (z / tile))) / 2;
    const int pair = (x % tile + tile * (y % tile + tile * (z % tile))) / 2;
    const auto thread = static_cast<std::size_t>(block * (tile * tile * depth / 2) + pair);
    const std::uint32_t number = PhiloxOfThread::number({seed, 0}, thread, visits[thread]++);
    const int cost = 2 * at(x, y, z) * sum;
    if (cost <= 0 || number < acceptance_threshold(beta * cost)) spins.at({x, y, z}) *= -1;
  }

  /// Sites of a parity in the tiles of a parity, which do not see each other within one hit.
  void try_sites(int tile_parity, int site_parity) {
    for (const auto& [place, spin] : std::map(spins)) {
      const auto [x, y, z] = place;
      if ((x / tile + y / tile + z / tile) % 2 == tile_parity && (x + y + z) % 2 == site_parity) visit(x, y, z);
    }
  }
};

template <int D>
void expect_equal(int L, int tile, int hits) {
  Oracle oracle{D, L, tile, {}, {}};
  std::mt19937 start(1);
  std::vector<std::int8_t> spins;
  for (int z = 0; z < (D == 3 ? L : 1); ++z)
    for (int y = 0; y < L; ++y)
      for (int x = 0; x < L; ++x) {
        spins.push_back(start() % 2 == 0 ? 1 : -1);
        oracle.spins[{x, y, z}] = spins.back();
      }
  if (D == 2) oracle.L = L;
  TiledFerromagnet<D> lattice(L, tile, spins, flip_thresholds<D>(beta)), untracked = lattice;
  PhiloxOfThread numbers(lattice.threads(), seed), same_numbers = numbers;
  for (int round = 0; round < 3; ++round)
    for (const int parity : {0, 1}) {
      lattice.update(parity, hits, numbers);
      untracked.template update<false>(parity, hits, same_numbers);
      for (int hit = 0; hit < hits; ++hit)
        for (const int site_parity : {0, 1}) oracle.try_sites(parity, site_parity);
    }
  std::vector<std::int8_t> expected;
  for (int z = 0; z < (D == 3 ? L : 1); ++z)
    for (int y = 0; y < L; ++y)
      for (int x = 0; x < L; ++x) expected.push_back(static_cast<std::int8_t>(oracle.spins.at({x, y, z})));
  EXPECT_NE(spins, expected);
  EXPECT_EQ(lattice.spins(), expected) << "L " << L << ", tile " << tile << ", hits " << hits;
  EXPECT_EQ(lattice.energy(), lattice.counted_energy());
  EXPECT_EQ(untracked.spins(), expected);
}

TEST(MultiHit, equals_an_oracle_of_the_same_order_in_two_dimensions) {
  for (const int hits : {1, 2, 5}) {
    expect_equal<2>(8, 4, hits);
    expect_equal<2>(32, 8, hits);
    expect_equal<2>(32, 16, hits);
    expect_equal<2>(8, 2, hits);
  }
}

TEST(MultiHit, equals_an_oracle_of_the_same_order_in_three_dimensions) {
  for (const int hits : {1, 3}) {
    expect_equal<3>(8, 4, hits);
    expect_equal<3>(8, 2, hits);
  }
}

TEST(ThreadNumbers, threads_that_skip_share_one_sequence) {
  constexpr std::size_t threads = 6;
  SkippingLcg<std::uint32_t> small(threads, seed);
  SkippingLcg<std::uint64_t> large(threads, seed);
  std::vector<std::uint32_t> x = {seed};
  std::vector<std::uint64_t> y = {seed};
  for (int i = 1; i < 30; ++i) {
    x.push_back(1664525u * x.back() + 1013904223u);
    y.push_back(2862933555777941757u * y.back() + 1442695040888963407u);
  }
  for (std::size_t n = 1; n < 4; ++n)
    for (std::size_t thread = 0; thread < threads; ++thread) {
      EXPECT_EQ(small(Visit{0, thread}), x[thread + n * threads]);
      EXPECT_EQ(large(Visit{0, thread}), y[thread + n * threads] >> 32);
    }
}

TEST(ThreadNumbers, seeded_threads_have_sequences_of_their_own) {
  SeededLcg<std::uint32_t> numbers(2, seed);
  const std::uint32_t first = numbers(Visit{0, 0}), other = numbers(Visit{0, 1});
  EXPECT_NE(first, other);
  EXPECT_EQ(numbers(Visit{0, 0}), 1664525u * first + 1013904223u);
  EXPECT_EQ(numbers(Visit{0, 1}), 1664525u * other + 1013904223u);
}

TEST(ThreadNumbers, consecutive_words_of_a_block_can_be_computed_together) {
  const auto expect_same = []<class Recurrence>(const Recurrence&) {
    std::mt19937 random(seed);
    std::vector<std::uint32_t> one(Recurrence::words), together(Recurrence::at_once);
    for (std::uint32_t& x : one) x = static_cast<std::uint32_t>(random());
    std::vector<std::uint32_t> many = one;
    std::uint32_t first = Recurrence::words - 100;  // so that the words run over the end of the ring
    for (int round = 0; round < 5; ++round) {
      const auto at = [&](std::uint32_t i) { return (first + i) % Recurrence::words; };
      for (std::uint32_t i = 0; i < Recurrence::at_once; ++i) one[at(i)] = Recurrence::next(one.data(), at(i));
      for (std::uint32_t i = 0; i < Recurrence::at_once; ++i) together[i] = Recurrence::next(many.data(), at(i));
      for (std::uint32_t i = 0; i < Recurrence::at_once; ++i) many[at(i)] = together[i];
      ASSERT_EQ(many, one);
      first = at(Recurrence::at_once);
    }
  };
  expect_same(LaggedSum<521, 353>());
  expect_same(LaggedSum<1279, 861>());
  expect_same(TwisterRecurrence());
}

TEST(ThreadNumbers, fibonacci_is_the_sum_of_two_earlier_numbers_of_its_block) {
  Fibonacci<521, 353> numbers(2, seed);
  std::vector<std::uint32_t> x;
  for (std::size_t i = 0; i < 2000; ++i) x.push_back(numbers(Visit{1, i}));
  for (std::size_t i = 521; i < x.size(); ++i) ASSERT_EQ(x[i], x[i - 521] + x[i - 353]) << i;
  EXPECT_NE(numbers(Visit{0, 0}), x[0]);
}

TEST(ThreadNumbers, mt19937_is_that_of_the_standard_library_for_each_block) {
  TwisterOfBlock numbers(3, seed);
  std::mt19937 standard(static_cast<std::uint32_t>(splitmix64((std::uint64_t{seed} << 32) + 2)));
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(numbers(Visit{2, 0}), standard());
}

MultiHitPlan plan_of(const std::string& generator, int L, std::uint64_t sweeps) {
  MultiHitPlan plan;
  plan.preset = &preset_of(Model::ising2d);
  plan.L = L;
  plan.tile = 16;
  plan.beta = 0.4;
  plan.generator = generator;
  plan.sweeps = sweeps;
  plan.discarded = 100;
  return plan;
}

/// Of the infinite lattice at beta = 0.4, Onsager; L = 256 differs by far less than the errors here.
constexpr double exact_e = -1.1060792037;

TEST(MultiHit, skipping_in_LCG32_is_wrong_and_Philox_is_right) {
  const auto pull = [](const std::string& generator) {
    const MultiHitPlan plan = plan_of(generator, 256, 2560);
    const MultiHitEstimates found = estimates_of(run_tiles(plan), plan, 64);
    return (found.e - exact_e) / found.e_error;
  };
  EXPECT_GT(std::abs(pull("lcg32")), 20);
  EXPECT_LT(std::abs(pull("philox")), 3);
  EXPECT_LT(std::abs(pull("mt19937")), 3);
}

TEST(MultiHit, both_orders_and_the_sequential_one_have_the_same_energy) {
  MultiHitPlan plan = plan_of("philox", 64, 12800);
  plan.hits = 4;
  const MultiHitEstimates naive = estimates_of(run_tiles(plan), plan, 64);
  plan.order = Order::symmetric;
  const MultiHitSeries series = run_tiles(plan);
  EXPECT_EQ(series.energy.size(), 6400U);
  EXPECT_EQ(series.flips, 64.0 * 64 * 12800);
  const MultiHitEstimates symmetric = estimates_of(series, plan, 64);
  const MultiHitEstimates sequential = estimates_of(run_sequential(plan), plan, 64);
  for (const MultiHitEstimates& found : {naive, symmetric, sequential}) {
    EXPECT_LT(std::abs(found.e - exact_e), 3 * found.e_error);
    EXPECT_LT(std::abs(found.C - 0.8617), 3 * found.C_error);
  }
}

TEST(MultiHit, the_magnetization_is_that_of_each_measured_state) {
  // At beta = 0.6 nearly all spins are up: Yang's spontaneous magnetization.
  MultiHitPlan plan = plan_of("philox", 64, 1280);
  plan.beta = 0.6;
  for (const MultiHitSeries& series : {run_tiles(plan), run_sequential(plan)}) {
    ASSERT_EQ(series.magnetization.size(), series.energy.size());
    const MultiHitEstimates found = estimates_of(series, plan, 32);
    EXPECT_LT(std::abs(found.m - 0.973608667), 4 * found.m_error);
    EXPECT_LT(found.m_error, 1e-3);
  }
}

TEST(MultiHit, times_with_and_without_the_energy_are_those_of_a_round) {
  MultiHitPlan plan = plan_of("lcg32", 32, 100);
  const TrackingTimes found = time_tracking(plan, 0.003);
  EXPECT_GT(found.tracked, 0);
  EXPECT_GT(found.untracked, 0);
}

TEST(MultiHit, estimates_of_a_series_with_a_known_autocorrelation_time) {
  // x_n = rho x_{n-1} + noise has tau_int = (1 + rho) / (1 - rho) / 2.
  constexpr double rho = 0.8;
  std::mt19937 generator(3);
  std::normal_distribution<double> noise(0, std::sqrt(1 - rho * rho));
  MultiHitSeries series;
  series.sweeps_between = 10;
  double x = 0;
  for (int i = 0; i < 64000; ++i) {
    series.energy.push_back(-1 + 0.01 * (x = rho * x + noise(generator)));
    series.magnetization.push_back(0.5 + 0.1 * noise(generator));  // independent values: tau_int = 1/2
  }
  MultiHitPlan plan = plan_of("philox", 100, 1);
  const MultiHitEstimates found = estimates_of(series, plan, 64);
  const double tau = (1 + rho) / (1 - rho) / 2;
  EXPECT_LT(std::abs(found.tau - 10 * tau), 3 * found.tau_error);
  EXPECT_NEAR(found.e_error, 0.01 * std::sqrt(2 * tau / 64000), 0.3 * found.e_error);
  EXPECT_NEAR(found.C, 0.4 * 0.4 * 1e4 * 1e-4, 3 * found.C_error);
  EXPECT_LT(std::abs(found.tau_m - 10 * 0.5), 3 * found.tau_m_error);
  EXPECT_LT(std::abs(found.m - 0.5), 3 * found.m_error);
  EXPECT_THROW(estimates_of(series, plan, 64000), std::invalid_argument);
}

TEST(MultiHit, a_long_autocorrelation_time_is_found_from_means_of_measurements) {
  constexpr double rho = 0.999;  // 6 tau_int are more lags than one sum has
  std::mt19937 generator(4);
  std::normal_distribution<double> noise(0, std::sqrt(1 - rho * rho));
  MultiHitSeries series;
  series.sweeps_between = 1;
  double x = 0;
  for (int i = 0; i < 2000000; ++i) {
    series.energy.push_back(x = rho * x + noise(generator));
    series.magnetization.push_back(1);  // a constant has no autocorrelation time
  }
  const MultiHitEstimates found = estimates_of(series, plan_of("philox", 100, 1), 64);
  EXPECT_LT(std::abs(found.tau - 999.5), 3 * found.tau_error);
  EXPECT_LT(found.tau_error, 200);
  EXPECT_EQ(found.tau_m, 0);
}

}  // namespace
}  // namespace psflip::laboratory
