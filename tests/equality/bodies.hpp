#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "equal.hpp"
#include "systems.hpp"
#include "tests/oracle/oracle.hpp"

// The bodies know the door (Engine) only: another backend joins by another factory.
namespace psflip::equality {
using MakeEngine = std::function<std::unique_ptr<Engine>(const System&)>;

inline void expect_equal_observation(const Observation& found, const Observation& wanted) {
  EXPECT_TRUE(equal("bond_sum", found.bond_sum, wanted.bond_sum));
  EXPECT_TRUE(equal("magnetization", found.magnetization, wanted.magnetization));
  EXPECT_TRUE(equal("magnetization_k2", found.magnetization_k2, wanted.magnetization_k2));
  EXPECT_TRUE(equal("overlap", found.overlap, wanted.overlap));
  EXPECT_TRUE(equal("overlap_k2", found.overlap_k2, wanted.overlap_k2));
}

inline void expect_equal_state(const Engine& engine, const Engine& expected) {
  EXPECT_EQ(engine.half_sweeps(), expected.half_sweeps());
  const PackedSigns found_spins = engine.packed_spins(), wanted_spins = expected.packed_spins();
  if (found_spins.words != wanted_spins.words || found_spins.rows != wanted_spins.rows) {  // bytes only to say where
    EXPECT_TRUE(equal("spins", unpack_signs(found_spins), unpack_signs(wanted_spins)));
  }
  expect_equal_observation(engine.observe(), expected.observe());
}

inline void compare_trajectories(const System& system, const std::vector<MakeEngine>& factories) {
  oracle::Oracle oracle(system);
  std::vector<std::unique_ptr<Engine>> engines;
  for (const MakeEngine& make_engine : factories) engines.push_back(make_engine(system));
  for (const std::uint64_t half_sweeps : {0, 1, 1, 3, 8}) {  // stops at both parities
    oracle.advance(half_sweeps);
    for (std::size_t i = 0; i < engines.size(); ++i) {
      SCOPED_TRACE(fmt::format("engine {} after {} half sweeps", i, oracle.half_sweeps()));
      engines[i]->advance(half_sweeps);
      EXPECT_TRUE(equal("couplings", engines[i]->couplings(), oracle.couplings()));
      expect_equal_state(*engines[i], oracle);
    }
  }
}

/// What is observed is of the moment when that began, though the engine sweeps on before anyone looks.
inline void compare_observed_later(const System& system, const MakeEngine& make_engine) {
  oracle::Oracle oracle(system);
  const auto engine = make_engine(system);
  for (const std::uint64_t half_sweeps : {1, 4, 20}) {
    const Observation wanted = oracle.observe();
    engine->start_observing();
    bool looked = false;
    const double seconds = engine->advance_during(half_sweeps, [&] {
      expect_equal_observation(engine->observed(), wanted);
      looked = true;
    });
    EXPECT_TRUE(looked);
    EXPECT_GT(seconds, 0);
    oracle.advance(half_sweeps);
    expect_equal_state(*engine, oracle);
  }
}

/// Canonical order has samples outermost, so the shards of a job are pieces of the whole.
inline void compare_three_shards(const System& system, const MakeEngine& make_engine) {
  oracle::Oracle oracle(system);
  oracle.advance(7);
  std::vector<std::int8_t> spins, couplings;
  const std::uint64_t first_cut = system.samples / 3, second_cut = first_cut + 1;  // one shard is a single sample
  for (const auto& [begin, end] :
       {std::pair{std::uint64_t{0}, first_cut}, {first_cut, second_cut}, {second_cut, system.samples}}) {
    if (begin == end) continue;
    System shard = system;
    shard.first_sample += begin;
    shard.samples = end - begin;
    const auto engine = make_engine(shard);
    engine->advance(7);
    const auto more_spins = engine->spins(), more_couplings = engine->couplings();
    spins.insert(spins.end(), more_spins.begin(), more_spins.end());
    couplings.insert(couplings.end(), more_couplings.begin(), more_couplings.end());
  }
  EXPECT_TRUE(equal("spins", spins, oracle.spins()));
  EXPECT_TRUE(equal("couplings", couplings, oracle.couplings()));
}

/// Continues a foreign configuration: once after an odd number of half sweeps, once just before the last sweep that
/// exists.
inline void compare_restored(const System& system, const MakeEngine& make_engine) {
  for (const std::uint64_t half_sweeps : {std::uint64_t{3}, (std::uint64_t{1} << 32) - 8}) {
    oracle::Oracle oracle(system);
    oracle.advance(3);
    const auto engine = make_engine(system);
    engine->advance(2);
    engine->restore(half_sweeps, oracle.packed_spins());
    oracle.restore(half_sweeps, oracle.packed_spins());
    expect_equal_state(*engine, oracle);
    engine->advance(6);
    oracle.advance(6);
    expect_equal_state(*engine, oracle);
  }
}

}  // namespace psflip::equality
