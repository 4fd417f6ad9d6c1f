#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/laboratory/field_tiles/tile_box.hpp"
#include "engine/models/system.hpp"

/// Times of one realization of the random-field model on a CPU: sweeps and steps of exchange Monte Carlo. `least` is
/// the least time of a measurement in seconds, `threads` those of the CPU.
namespace psflip::laboratory {

/// h = J = 1 at these inverse temperatures, one sample and replica.
System field_system(int L, std::vector<double> betas);

struct FieldTilePlan {
  IntTriple side;
  int hits = 1;
  std::string generator;
  std::uint32_t seed = 1;
};

/// Seconds of a sweep at the first temperature of the system; of tiles for `hits` sweeps, which they do at once. The
/// energy is that of each flip.
double scalar_field_seconds(const System& system, int threads, double least);
double tiles_field_seconds(const System& system, const FieldTilePlan& plan, int threads, double least);

/// Seconds of a step: `interval` sweeps of every slot, energies, one round of exchanges by swapped temperatures.
double scalar_step_seconds(const System& system, int interval, int threads, double least);
double tiles_step_seconds(const System& system, const FieldTilePlan& plan, int interval, int threads, double least);

/// psflip, as many samples as words of the CPU have bits times threads.
struct PackedTimes {
  double sweep = 0;     ///< seconds of a sweep of all slots and samples
  double step = 0;      ///< of `interval` sweeps and a round of exchanges
  double exchange = 0;  ///< of a round of exchanges: energies, decisions, moves
  double move = 0;      ///< of moves alone: exchanges of the masked bits of as many words
  std::uint64_t samples = 0;
  int word_bits = 0;
};
PackedTimes packed_field_times(const System& system, int interval, int threads, double least);

}  // namespace psflip::laboratory
