#pragma once
#include <string>
#include <vector>

#include "engine/driver/engine.hpp"

/// Comparisons of engines with the scalar oracle. They know the interface Engine only, so that a backend joins by a
/// function that makes its engine.
namespace psflip::equality {

struct Backend {
  std::string name;  ///< in messages
  MakeEngine make;
};
using Backends = std::vector<Backend>;

/// Rounds, spins of every slot, flow labels and sums; of one slot the integers of the moment.
void expect_equal_state(const Engine& engine, const Engine& expected, const System& system);
void expect_equal_disorder(const Engine& engine, const Engine& expected);

/// Full states after rounds of both kinds of parity, before and after the sums are cleared.
void compare_trajectories(const System& system, const Backends& backends);

/// Couplings and fields that have nothing to do with the seed, from before the first round on.
void compare_given_disorder(const System& system, const Backends& backends);

/// A measurement has the spins of the moment when it began, though the engine continues before the host reads it.
void compare_readings(const System& system, const Backends& backends);

/// Readings after each of at most five intervals, which the host takes while the engine does the next ones.
void compare_intervals(const System& system, Engine& engine, Engine& expected);

/// Samples are the outermost index of spins and disorder, so shards are consecutive rows of the undivided system.
void compare_three_shards(const System& system, const Backends& backends);

/// Engines continue a configuration of the oracle: early, and just before the last half sweep that has random numbers.
void compare_restored(const System& system, const Backends& backends);

}  // namespace psflip::equality
