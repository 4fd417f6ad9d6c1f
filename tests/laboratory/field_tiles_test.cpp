#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "engine/laboratory/field_tiles/box_thread.hpp"
#include "engine/laboratory/field_tiles/lcg_start.hpp"
#include "engine/laboratory/field_tiles/scalar_field.hpp"
#include "engine/laboratory/field_tiles/tempering.hpp"
#include "engine/laboratory/field_tiles/tiles.hpp"
#include "engine/laboratory/field_tiles/timing.hpp"
#include "engine/laboratory/multi_hit/thread_numbers.hpp"

// The double checkerboard in a random field equals an oracle of the same order, exchanged temperatures equal moved
// configurations, and all have exact averages of one realization.
namespace psflip::laboratory {
namespace {

constexpr std::uint32_t seed = 5;

/// Tries single sites of a lattice, without boxes, boundaries or copies: number n of a thread decides its visit n.
struct FieldOracle {
  FieldLattice lattice;
  double beta;
  std::map<std::size_t, std::uint32_t> visits;

  std::int8_t& at(int x, int y, int z) {
    const int L = lattice.L;
    return lattice.spins[static_cast<std::size_t>((x + L) % L + L * ((y + L) % L + L * ((z + L) % L)))];
  }
  void visit(int x, int y, int z, std::uint32_t number) {
    const int L = lattice.L, spin = at(x, y, z);
    const int seen = at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) + at(x, y, z - 1) +
                     at(x, y, z + 1) + lattice.fields[static_cast<std::size_t>(x + L * (y + L * z))];
    const int cost = 2 * spin * seen;
    if (cost <= 0 || number < acceptance_threshold(beta * cost)) at(x, y, z) = static_cast<std::int8_t>(-spin);
  }
  /// The boxes of a parity one after the other, `hits` times, as a block of threads does.
  void try_boxes(IntTriple side, int parity, int hits) {
    const int L = lattice.L;
    std::size_t block = 0;
    for (int z = 0; z < L / side.z; ++z)
      for (int y = 0; y < L / side.y; ++y)
        for (int x = 0; x < L / side.x; ++x) {
          if ((x + y + z) % 2 != parity) continue;
          for (int pass = 0; pass < 2 * hits; ++pass) try_box({x, y, z}, side, pass % 2, block);
          ++block;
        }
  }
  void try_box(IntTriple box, IntTriple side, int site_parity, std::size_t block) {
    std::size_t pair = 0;
    const auto pairs = static_cast<std::size_t>(side.x * side.y * side.z / 2);
    for (int z = 0; z < side.z; ++z)
      for (int y = 0; y < side.y; ++y)
        for (int x = 0; x < side.x; ++x) {
          const std::size_t thread = block * pairs + pair++ / 2;
          if ((x + y + z) % 2 != site_parity) continue;
          const std::uint32_t number = PhiloxOfThread::number({seed, 0}, thread, visits[thread]++);
          visit(box.x * side.x + x, box.y * side.y + y, box.z * side.z + z, number);
        }
  }
};

void expect_equal(int L, IntTriple side, int hits, int threads) {
  constexpr double beta = 0.25;
  const FieldLattice start = random_field_lattice(L, 3);
  FieldOracle oracle{start, beta, {}};
  FieldTiles tiles(start, side);
  const FieldThresholds thresholds = make_field_thresholds(field_system(L, {beta}), beta);
  PhiloxOfThread numbers(tiles.threads(), seed);
  for (int sweep = 0; sweep < 3; ++sweep) {
    tiles.sweep(hits, thresholds, numbers, threads);
    for (const int parity : {0, 1}) oracle.try_boxes(side, parity, hits);
  }
  EXPECT_NE(oracle.lattice.spins, start.spins);
  EXPECT_EQ(tiles.lattice().spins, oracle.lattice.spins) << "box " << side.x << "x" << side.y << "x" << side.z;
  EXPECT_EQ(tiles.sums(), counted_sums(tiles.lattice()));
}

TEST(FieldTiles, equal_an_oracle_of_the_same_order) {
  for (const int hits : {1, 3})
    for (const int threads : {1, 3}) {
      expect_equal(8, {4, 2, 2}, hits, threads);
      expect_equal(16, {8, 4, 2}, hits, threads);
    }
}

TEST(FieldTiles, equal_the_oracle_where_a_box_is_as_long_as_the_lattice) {
  for (const int hits : {1, 3}) {
    expect_equal(8, {8, 4, 2}, hits, 1);
    expect_equal(8, {8, 8, 2}, hits, 2);
    expect_equal(8, {8, 8, 8}, hits, 1);
    expect_equal(8, {2, 8, 4}, hits, 1);
  }
}

TEST(FieldTiles, copies_have_every_site_of_a_box_and_its_boundary) {
  for (const IntTriple side : {IntTriple{4, 2, 2}, IntTriple{8, 2, 4}, IntTriple{8, 8, 2}}) {
    const TileBox box{8, side};
    for (int i = 0; i < box.copied_sites(); ++i) EXPECT_EQ(box.in_copy(box.of_copy(i)), i);
    std::vector<int> found(512);
    for (const int parity : {0, 1})
      for (int block = 0; block < box.blocks(parity); ++block)
        for (int thread = 0; thread < box.threads(); ++thread)
          for (const int site_parity : {0, 1})
            ++found[static_cast<std::size_t>(
                box.in_lattice(box.tile_of(block, parity), box.site_of(thread, site_parity)))];
    EXPECT_EQ(found, std::vector<int>(512, 1));
  }
}

/// A kernel on the host: the threads of a block one after the other between its barriers.
template <class States>
void update_as_blocks(FieldLattice& lattice, const TileBox& box, int hits, const FieldThresholds& thresholds,
                      const States& numbers, FieldSums& sums) {
  std::vector<std::int8_t> spins(static_cast<std::size_t>(box.copied_sites())),
      fields(static_cast<std::size_t>(2 * box.threads()));
  const BoxCopy copy{spins.data(), fields.data()};
  const int threads = box.threads();
  for (const int parity : {0, 1})
    for (int block = 0; block < box.blocks(parity); ++block) {
      const IntTriple tile = box.tile_of(block, parity);
      for (int t = 0; t < threads; ++t) load_part(box, tile, lattice.spins.data(), lattice.fields.data(), copy, t);
      for (int pass = 0; pass < 2 * hits; ++pass)
        for (int t = 0; t < threads; ++t) {
          const auto thread = static_cast<std::size_t>(block * threads + t);
          typename States::State state = numbers.load(thread);
          const FieldSums change =
              try_site(box, copy.spins, copy.fields, box.site_of(t, pass % 2), thresholds, numbers.next(state, thread));
          numbers.store(thread, state);
          sums.bonds += change.bonds;
          sums.fields += change.fields;
        }
      for (int t = 0; t < threads; ++t) store_part(box, tile, copy, lattice.spins.data(), t);
    }
}

TEST(BoxThread, all_threads_of_the_blocks_make_the_tiles_of_a_CPU) {
  constexpr int L = 16, hits = 2;
  constexpr double beta = 0.25;
  const FieldThresholds thresholds = make_field_thresholds(field_system(L, {beta}), beta);
  for (const IntTriple side : {IntTriple{8, 4, 2}, IntTriple{16, 8, 2}, IntTriple{16, 16, 16}}) {
    FieldTiles by_lcg(random_field_lattice(L, 2), side), by_philox(by_lcg);
    FieldLattice first = by_lcg.lattice(), second = first;
    FieldSums first_sums = by_lcg.sums(), second_sums = first_sums;
    const TileBox box{L, side};
    LcgStart start = lcg_start(by_lcg.threads(), seed);
    std::vector<std::uint32_t> counts(by_lcg.threads());
    SkippingLcg<std::uint64_t> lcg(by_lcg.threads(), seed);
    PhiloxOfThread philox(by_philox.threads(), seed);
    for (int sweep = 0; sweep < 3; ++sweep) {
      by_lcg.sweep(hits, thresholds, lcg);
      by_philox.sweep(hits, thresholds, philox);
      update_as_blocks(first, box, hits, thresholds, LcgStates{start.states.data(), start.a, start.c}, first_sums);
      update_as_blocks(second, box, hits, thresholds, PhiloxStates{counts.data(), {seed, 0}}, second_sums);
    }
    EXPECT_EQ(first.spins, by_lcg.lattice().spins);
    EXPECT_EQ(second.spins, by_philox.lattice().spins);
    EXPECT_EQ(first_sums, by_lcg.sums());
    EXPECT_EQ(second_sums, by_philox.sums());
    EXPECT_NE(first.spins, second.spins);
  }
}

TEST(FieldTiles, sides_that_make_no_checkerboard_are_told) {
  EXPECT_TRUE(is_tiled_by(64, {32, 8, 8}));
  EXPECT_TRUE(is_tiled_by(32, {32, 8, 8}));
  EXPECT_TRUE(is_tiled_by(8, cut_to(8, {32, 8, 8})));
  EXPECT_FALSE(is_tiled_by(24, {24, 8, 8}));  // three boxes
  EXPECT_FALSE(is_tiled_by(32, {12, 8, 8}));
  EXPECT_FALSE(is_tiled_by(32, {32, 1, 8}));
  EXPECT_FALSE(is_tiled_by(32, {32, 0, 8}));
}

TEST(ScalarField, equals_the_oracle_with_one_thread_and_keeps_its_sums_with_several) {
  constexpr int L = 6;
  constexpr double beta = 0.3;
  const FieldLattice start = random_field_lattice(L, 4);
  const FieldThresholds thresholds = make_field_thresholds(field_system(L, {beta}), beta);
  const auto number = [](std::uint32_t sweep, std::size_t site) {
    return PhiloxOfThread::number({seed, 0}, site, sweep);
  };
  FieldOracle oracle{start, beta, {}};
  ScalarField field(start), by_threads(start);
  for (std::uint32_t sweep = 0; sweep < 4; ++sweep)
    for (const int parity : {0, 1}) {
      field.half_sweep(parity, thresholds, [&](std::size_t site) { return number(sweep, site); });
      by_threads.half_sweep_by(3, parity, thresholds,
                               [&](int thread) { return number(sweep, static_cast<std::size_t>(thread)); });
      for (int z = 0; z < L; ++z)
        for (int y = 0; y < L; ++y)
          for (int x = (y + z + parity) % 2; x < L; x += 2)
            oracle.visit(x, y, z, number(sweep, static_cast<std::size_t>(x + L * (y + L * z))));
    }
  EXPECT_EQ(field.lattice().spins, oracle.lattice.spins);
  for (const ScalarField* one : {&field, &by_threads}) EXPECT_EQ(one->sums(), counted_sums(one->lattice()));
  EXPECT_NE(by_threads.lattice().spins, start.spins);
}

/// The realization whose exact averages are known at L = 4, h = J, beta = 0.25: fields by the top bit of splitmix64.
FieldLattice known_realization() {
  FieldLattice lattice = random_field_lattice(4, 1);
  for (std::uint64_t site = 0; site < 64; ++site)
    lattice.fields[site] = splitmix64((std::uint64_t{11} << 32) + site) >> 63 == 0 ? 1 : -1;
  return lattice;
}
constexpr double exact_e = -1.761520049898, exact_m = -0.225253763440, exact_m2 = 0.457213765846;

/// Means of blocks of consecutive measurements.
struct Averages {
  std::vector<double> e, m, m2;
  double block = 0;

  void add(const FieldLattice& lattice, const FieldSums& sums) {
    const double m_now = std::accumulate(lattice.spins.begin(), lattice.spins.end(), 0) / 64.0;
    for (auto* means : {&e, &m, &m2})
      means->back() += means == &e ? energy_of(sums) : means == &m ? m_now : m_now * m_now;
    ++block;
  }
  static double energy_of(const FieldSums& sums) { return -static_cast<double>(sums.bonds + sums.fields) / 64; }
  void begin() {
    for (auto* means : {&e, &m, &m2}) means->push_back(0);
    block = 0;
  }
  void end() {
    for (auto* means : {&e, &m, &m2}) means->back() /= block;
  }
  /// Of a fixed number of blocks, 64.
  static double pull(const std::vector<double>& means, double exact) {
    const auto n = static_cast<double>(means.size());
    const double mean = std::accumulate(means.begin(), means.end(), 0.0) / n;
    double variance = 0;
    for (const double x : means) variance += (x - mean) * (x - mean);
    return (mean - exact) / std::sqrt(variance / n / (n - 1));
  }
  void expect_exact() const {
    EXPECT_LT(std::abs(pull(e, exact_e)), 4);
    EXPECT_LT(std::abs(pull(m, exact_m)), 4);
    EXPECT_LT(std::abs(pull(m2, exact_m2)), 4);
  }
};
constexpr int blocks = 64, sweeps_of_block = 2000;

TEST(FieldTiles, have_exact_averages_of_a_realization_with_one_hit_and_with_several) {
  const FieldThresholds thresholds = make_field_thresholds(field_system(4, {0.25}), 0.25);
  for (const int hits : {1, 4}) {
    FieldTiles tiles(known_realization(), {4, 2, 2});
    SeededLcg<std::uint64_t> numbers(tiles.threads(), seed);
    for (int sweep = 0; sweep < 200; ++sweep) tiles.sweep(hits, thresholds, numbers);
    Averages averages;
    for (int block = 0; block < blocks; ++block) {
      averages.begin();
      for (int sweep = 0; sweep < sweeps_of_block; ++sweep) {
        tiles.sweep(hits, thresholds, numbers);
        averages.add(tiles.lattice(), tiles.sums());
      }
      averages.end();
    }
    averages.expect_exact();
  }
}

/// Three slots, the middle one at beta = 0.25.
FieldTempering<ScalarField> tempering(FieldExchange exchange) {
  return {std::vector<ScalarField>(3, ScalarField(known_realization())), field_system(4, {0.3, 0.25, 0.2}), exchange,
          7};
}
struct SlotNumbers {
  std::vector<std::mt19937> of_slot = {std::mt19937(1), std::mt19937(2), std::mt19937(3)};
  void operator()(ScalarField& field, const FieldThresholds& thresholds, std::size_t slot) {
    for (const int parity : {0, 1})
      field.half_sweep(parity, thresholds, [&](std::size_t) { return static_cast<std::uint32_t>(of_slot[slot]()); });
  }
};

TEST(FieldTempering, swapped_temperatures_are_moved_configurations) {
  auto swapped = tempering(FieldExchange::temperatures), moved = tempering(FieldExchange::configurations);
  SlotNumbers first, second;
  for (int round = 0; round < 100; ++round) {
    swapped.step(1, [&](auto&... arguments) { first(arguments...); });
    moved.step(2, [&](auto&... arguments) { second(arguments...); });
    for (std::size_t slot = 0; slot < 3; ++slot) {
      ASSERT_EQ(swapped.at(slot).lattice().spins, moved.at(slot).lattice().spins) << round;
      ASSERT_EQ(swapped.at(slot).sums(), moved.at(slot).sums());
    }
  }
  EXPECT_EQ(swapped.accepted(), moved.accepted());
  EXPECT_GT(swapped.accepted(), 20U);
  EXPECT_LT(swapped.accepted(), 100U);
}

TEST(FieldTempering, accepts_exchanges_with_the_probability_of_detailed_balance) {
  // Two configurations without sweeps: from the likely order to the other with probability p, back always.
  FieldLattice up = known_realization();
  std::fill(up.spins.begin(), up.spins.end(), std::int8_t{1});
  FieldLattice other = up;
  other.spins[0] = -1;
  const System system = field_system(4, {0.35, 0.25});
  FieldTempering<ScalarField> pair({ScalarField(up), ScalarField(other)}, system, FieldExchange::temperatures, 3);
  const double p = std::exp(-0.1 * (pair.energy(1) - pair.energy(0)));
  ASSERT_GT(p, 0.2);
  ASSERT_LT(p, 0.5);
  constexpr int attempts = 200000;
  std::size_t left = 0, before = 0;
  double tried = 0;
  for (int round = 0; round < 2 * attempts; ++round) {
    const bool is_likely = pair.energy(0) < pair.energy(1);
    pair.step(1, [](ScalarField&, const FieldThresholds&, std::size_t) {});
    const bool accepted = pair.accepted() != before;
    before = pair.accepted();
    if (round % 2 != 0) {
      ASSERT_FALSE(accepted);  // no pair in the odd rounds of two slots
    } else if (is_likely) {
      ++tried;
      left += accepted ? 1 : 0;
    } else {
      ASSERT_TRUE(accepted);
    }
  }
  const double found = static_cast<double>(left) / tried, error = std::sqrt(p * (1 - p) / tried);
  EXPECT_LT(std::abs(found - p), 4 * error);
}

TEST(FieldTempering, has_exact_averages_of_a_realization) {
  auto found = tempering(FieldExchange::temperatures);
  SlotNumbers numbers;
  const auto step = [&] { found.step(1, [&](auto&... arguments) { numbers(arguments...); }); };
  for (int sweep = 0; sweep < 200; ++sweep) step();
  Averages averages;
  for (int block = 0; block < blocks; ++block) {
    averages.begin();
    for (int sweep = 0; sweep < sweeps_of_block; ++sweep) {
      step();
      averages.add(found.at(1).lattice(), found.at(1).sums());
    }
    averages.end();
  }
  averages.expect_exact();
}

TEST(FieldTiming, packed_samples_have_a_time_of_a_sweep_and_of_a_round_of_exchanges) {
  const PackedTimes times = packed_field_times(field_system(8, {0.3, 0.25, 0.2}), 4, 2, 0.001);
  EXPECT_EQ(times.samples, 2U * static_cast<std::uint64_t>(times.word_bits));
  EXPECT_GT(times.sweep, 0);
  EXPECT_DOUBLE_EQ(times.step, 4 * times.sweep + times.exchange);
  EXPECT_GE(times.exchange, 0);
  EXPECT_GT(times.move, 0);
}

}  // namespace
}  // namespace psflip::laboratory
