#pragma once
#include <fmt/format.h>

#include <functional>
#include <memory>

#include "equal.hpp"
#include "tempering_systems.hpp"
#include "tests/oracle/tempering_oracle.hpp"

// The bodies know the door (TemperingEngine) only: another backend joins by another factory.
namespace psflip::equality {
using MakeTempering = std::function<std::unique_ptr<TemperingEngine>(const TemperingSystem&)>;

inline std::vector<int> numbers_of(const std::vector<FlowLabel>& flow_labels) {
  std::vector<int> numbers;
  for (const FlowLabel flow_label : flow_labels) numbers.push_back(static_cast<int>(flow_label));
  return numbers;
}

inline void expect_equal_tempering(const TemperingEngine& engine, const TemperingEngine& expected, std::size_t slots) {
  EXPECT_EQ(engine.rounds(), expected.rounds());
  for (std::size_t slot = 0; slot < slots; ++slot)
    EXPECT_TRUE(equal("spins", engine.spins(slot), expected.spins(slot))) << "slot " << slot;
  EXPECT_TRUE(equal("flow_labels", numbers_of(engine.flow_labels()), numbers_of(expected.flow_labels())));
  const TemperingSums found = engine.sums(), wanted = expected.sums();
  EXPECT_TRUE(equal("set sums", found.set, wanted.set));
  EXPECT_TRUE(equal("pair sums", found.pair, wanted.pair));
  EXPECT_TRUE(equal("accepted", found.accepted, wanted.accepted));
  EXPECT_TRUE(equal("round trips", found.round_trips, wanted.round_trips));
}

inline void compare_tempering(const TemperingSystem& system, const std::vector<MakeTempering>& factories) {
  oracle::TemperingOracle oracle(system);
  std::vector<std::unique_ptr<TemperingEngine>> engines;
  for (const MakeTempering& make : factories) engines.push_back(make(system));
  for (const std::uint64_t rounds : {0, 1, 1, 3}) {  // stops after rounds of both kinds
    oracle.advance(rounds);
    for (std::size_t i = 0; i < engines.size(); ++i) {
      SCOPED_TRACE(fmt::format("engine {} after {} rounds", i, oracle.rounds()));
      engines[i]->advance(rounds);
      EXPECT_TRUE(equal("fields", engines[i]->fields(), oracle.fields()));
      expect_equal_tempering(*engines[i], oracle, system.slots());
      if (rounds == 3) engines[i]->clear_sums();
    }
  }
  oracle.clear_sums();
  oracle.advance(1);
  for (const auto& engine : engines) {
    engine->advance(1);
    expect_equal_tempering(*engine, oracle, system.slots());
  }
}

/// Continues a foreign state.
inline void compare_restored_tempering(const TemperingSystem& system, const MakeTempering& make) {
  oracle::TemperingOracle oracle(system);
  oracle.advance(3);
  const auto engine = make(system);
  engine->advance(2);
  for (std::size_t slot = 0; slot < system.slots(); ++slot) engine->restore_spins(slot, oracle.packed_spins(slot));
  engine->restore(oracle.rounds(), oracle.flow_labels(), oracle.sums());
  expect_equal_tempering(*engine, oracle, system.slots());
  engine->advance(2);
  oracle.advance(2);
  expect_equal_tempering(*engine, oracle, system.slots());
}

}  // namespace psflip::equality
