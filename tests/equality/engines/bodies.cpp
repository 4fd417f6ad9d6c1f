#include "bodies.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "equal.hpp"
#include "tests/oracle/oracle.hpp"

namespace psflip::equality {
namespace {

bool exchanges(const System& system) { return system.slots() > 1; }

std::vector<int> numbers_of(const std::vector<FlowLabel>& labels) {
  std::vector<int> numbers;
  for (const FlowLabel label : labels) numbers.push_back(static_cast<int>(label));
  return numbers;
}

void expect_equal_observation(const Observation& found, const Observation& wanted) {
  for (const IntegerInfo& info : integer_table)
    EXPECT_TRUE(equal(info.name, found[info.integer], wanted[info.integer]));
}

void expect_equal_sums(const Sums& found, const Sums& wanted) {
  EXPECT_TRUE(equal("sums of configurations", found.set, wanted.set));
  EXPECT_TRUE(equal("sums of pairs", found.pair, wanted.pair));
  EXPECT_TRUE(equal("accepted", found.accepted, wanted.accepted));
  EXPECT_TRUE(equal("round trips", found.round_trips, wanted.round_trips));
  EXPECT_TRUE(equal("overlap counts", found.overlap_counts, wanted.overlap_counts));
  EXPECT_TRUE(equal("link overlaps", found.overlap_link_sums, wanted.overlap_link_sums));
  EXPECT_TRUE(equal("configurations from the cold end", found.flow_cold, wanted.flow_cold));
  EXPECT_TRUE(equal("configurations from the hot end", found.flow_hot, wanted.flow_hot));
}

void expect_equal_signs(const char* name, const PackedSigns& found, const PackedSigns& wanted) {
  if (found.words == wanted.words && found.rows == wanted.rows && found.length == wanted.length) return;
  EXPECT_TRUE(equal(name, unpack_signs(found), unpack_signs(wanted)));  // bytes only to say where
}

/// Everything that another engine needs to continue.
void hand_over(const Engine& from, std::uint64_t rounds, const System& system, Engine& to) {
  for (std::size_t slot = 0; slot < system.slots(); ++slot) to.restore_spins(slot, from.packed_spins(slot));
  to.restore(rounds, from.flow_labels(), from.sums());
}

/// Units `begin` to `end` of a system: samples, or packs where these are chosen.
System shard_of(const System& system, std::uint64_t begin, std::uint64_t end) {
  System shard = system;
  if (system.packs.empty()) {
    shard.first_sample += begin;
    shard.samples = end - begin;
  } else {
    shard.packs.assign(system.packs.begin() + static_cast<std::ptrdiff_t>(begin),
                       system.packs.begin() + static_cast<std::ptrdiff_t>(end));
    shard.samples = 32 * (end - begin);
  }
  return shard;
}

/// Rows of spins of every slot, of couplings and of fields.
using Rows = std::vector<std::vector<std::int8_t>>;

void append_rows(const Engine& engine, const System& system, Rows& rows) {
  rows.resize(system.slots() + 2);
  const auto append = [&](std::size_t i, const std::vector<std::int8_t>& more) {
    rows[i].insert(rows[i].end(), more.begin(), more.end());
  };
  for (std::size_t slot = 0; slot < system.slots(); ++slot) append(slot, engine.spins(slot));
  append(system.slots(), engine.couplings());
  append(system.slots() + 1, engine.fields());
}

void expect_equal_shards(const System& system, const Backend& backend, std::uint64_t rounds, const Rows& wanted) {
  const std::uint64_t units = system.packs.empty() ? system.samples : system.packs.size();
  const std::uint64_t first_cut = units / 3, second_cut = first_cut + 1;  // one shard is a single sample or pack
  Rows rows;
  for (const auto& [begin, end] :
       {std::pair{std::uint64_t{0}, first_cut}, {first_cut, second_cut}, {second_cut, units}}) {
    if (begin == end) continue;
    const auto engine = backend.make(shard_of(system, begin, end));
    engine->advance(rounds);
    append_rows(*engine, system, rows);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_TRUE(equal(fmt::format("{}, rows {}", backend.name, i), rows[i], wanted[i]));
}

}  // namespace

void expect_equal_state(const Engine& engine, const Engine& expected, const System& system) {
  EXPECT_EQ(engine.rounds(), expected.rounds());
  for (std::size_t slot = 0; slot < system.slots(); ++slot)
    expect_equal_signs("spins", engine.packed_spins(slot), expected.packed_spins(slot));
  if (!exchanges(system)) return expect_equal_observation(engine.observe(), expected.observe());
  EXPECT_TRUE(equal("flow labels", numbers_of(engine.flow_labels()), numbers_of(expected.flow_labels())));
  expect_equal_sums(engine.sums(), expected.sums());
}

void expect_equal_disorder(const Engine& engine, const Engine& expected) {
  expect_equal_signs("couplings", engine.packed_couplings(), expected.packed_couplings());
  expect_equal_signs("fields", engine.packed_fields(), expected.packed_fields());
}

void compare_trajectories(const System& system, const Backends& backends) {
  oracle::Oracle oracle(system);
  std::vector<std::unique_ptr<Engine>> engines;
  for (const Backend& backend : backends) engines.push_back(backend.make(system));
  const std::vector<std::uint64_t> stops =
      exchanges(system) ? std::vector<std::uint64_t>{0, 1, 1, 3, 1} : std::vector<std::uint64_t>{0, 1, 1, 3, 8};
  for (const std::uint64_t rounds : stops) {
    oracle.advance(rounds);
    for (std::size_t i = 0; i < engines.size(); ++i) {
      SCOPED_TRACE(fmt::format("{} after {} rounds", backends[i].name, oracle.rounds()));
      engines[i]->advance(rounds);
      expect_equal_disorder(*engines[i], oracle);
      expect_equal_state(*engines[i], oracle, system);
      if (rounds == 3) engines[i]->clear_sums();
    }
    if (rounds == 3) oracle.clear_sums();
  }
}

void compare_given_disorder(const System& system, const Backends& backends) {
  std::mt19937 random(static_cast<std::uint32_t>(system.samples));
  const auto signs = [&](bool exist, std::size_t rows) {
    std::vector<std::int8_t> all(exist ? rows * system.samples * system.sites() : 0);
    for (std::int8_t& sign : all) sign = random() & 1u ? std::int8_t{-1} : std::int8_t{1};
    return pack_signs(all, system.sites());
  };
  const PackedSigns couplings = signs(system.preset().has_random_bonds(), static_cast<std::size_t>(system.dimension()));
  const PackedSigns fields = signs(system.preset().has_random_field(), 1);
  oracle::Oracle oracle(system);
  oracle.restore_disorder(couplings, fields);
  expect_equal_signs("couplings given", oracle.packed_couplings(), couplings);
  expect_equal_signs("fields given", oracle.packed_fields(), fields);
  const std::uint64_t rounds = exchanges(system) ? 3 : 9;
  oracle.advance(rounds);
  for (const Backend& backend : backends) {
    SCOPED_TRACE(backend.name);
    const auto engine = backend.make(system);
    engine->restore_disorder(couplings, fields);
    engine->advance(rounds);
    expect_equal_disorder(*engine, oracle);
    expect_equal_state(*engine, oracle, system);
  }
}

void compare_readings(const System& system, const Backends& backends) {
  const bool keeps_sums = system.round.rounds_per_sum != 0;
  oracle::Oracle oracle(system);
  std::vector<std::unique_ptr<Engine>> engines;
  for (const Backend& backend : backends) engines.push_back(backend.make(system));
  std::vector<std::uint64_t> ended(engines.size());
  for (const std::uint64_t half_sweeps : {1, 4, 20}) {
    const std::uint64_t rounds = (half_sweeps + system.round.half_sweeps - 1) / system.round.half_sweeps;
    const auto read = [&] {
      const Reading reading = {oracle.observe(), oracle.sums()};
      if (keeps_sums) oracle.clear_sums();
      oracle.advance(rounds);
      return reading;
    };
    const Reading wanted = read(), wanted_next = read();
    for (std::size_t i = 0; i < engines.size(); ++i) {
      SCOPED_TRACE(fmt::format("{}, {} rounds after a reading", backends[i].name, rounds));
      int looked = 0;
      engines[i]->start_reading();
      const auto look = [&] {
        const Reading &found = engines[i]->reading(0), &expected = looked == 0 ? wanted : wanted_next;
        if (keeps_sums) expect_equal_sums(found.sums, expected.sums);
        if (!keeps_sums && !exchanges(system)) expect_equal_observation(found.moment, expected.moment);
        ++looked;
      };
      for (const bool reads : {true, false}) {  // the first call starts the next reading
        const EndedRounds some = engines[i]->advance_during({rounds}, look, reads);
        EXPECT_TRUE(some.rounds == 0 || some.seconds > 0);
        ended[i] += some.rounds;
      }
      EXPECT_GE(ended[i] + rounds, engines[i]->rounds());  // at most those of the last call are missing
      if (half_sweeps == 20) EXPECT_EQ(ended[i] + engines[i]->finish_rounds().rounds, engines[i]->rounds());
      EXPECT_EQ(looked, 2);
      expect_equal_state(*engines[i], oracle, system);
    }
  }
}

void compare_intervals(const System& system, Engine& engine, Engine& expected) {
  std::vector<Observation> wanted;  // of the intervals before
  const auto look = [&] {
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      SCOPED_TRACE(fmt::format("interval {} of {}", k + 1, wanted.size()));
      expect_equal_observation(engine.reading(k).moment, wanted[k]);
    }
  };
  for (const std::uint64_t rounds : {3, 1, 4, 20}) {
    const Intervals intervals{rounds, std::min<std::uint64_t>(engine.intervals_at_once(), rounds == 4 ? 2 : 5)};
    engine.advance_during(intervals, look, true);
    wanted.clear();
    for (std::uint64_t k = 0; k < intervals.count; ++k) {
      expected.advance(rounds);
      wanted.push_back(expected.observe());
    }
  }
  look();
  expect_equal_state(engine, expected, system);
}

void compare_three_shards(const System& system, const Backends& backends) {
  oracle::Oracle oracle(system);
  const std::uint64_t rounds = exchanges(system) ? 2 : 7;
  oracle.advance(rounds);
  Rows wanted;
  append_rows(oracle, system, wanted);
  for (const Backend& backend : backends) expect_equal_shards(system, backend, rounds, wanted);
}

void compare_restored(const System& system, const Backends& backends) {
  const std::uint64_t rounds = exchanges(system) ? 2 : 6;
  const std::uint64_t last = (std::uint64_t{1} << 32) / system.round.half_sweeps - rounds - 2;
  oracle::Oracle begin(system);
  begin.advance(3);
  for (const std::uint64_t start : {begin.rounds(), last}) {
    oracle::Oracle oracle(system);
    hand_over(begin, start, system, oracle);
    std::vector<std::unique_ptr<Engine>> engines;
    for (const Backend& backend : backends) {
      SCOPED_TRACE(fmt::format("{} at round {}", backend.name, start));
      engines.push_back(backend.make(system));
      engines.back()->advance(2);
      hand_over(begin, start, system, *engines.back());
      expect_equal_state(*engines.back(), oracle, system);
    }
    oracle.advance(rounds);
    for (std::size_t i = 0; i < engines.size(); ++i) {
      SCOPED_TRACE(fmt::format("{}, restored at round {}", backends[i].name, start));
      engines[i]->advance(rounds);
      expect_equal_state(*engines[i], oracle, system);
    }
  }
}

}  // namespace psflip::equality
