#pragma once
#include "engine/driver/ranks.hpp"
#include "engine/laboratory/exchange/sliced_ranks.hpp"

/// Messages and times of the one-directional exchange and of psflip's exchange in two directions. Called by all ranks
/// together; all get the times of rank 0.
namespace psflip::laboratory {

/// Of one half sweep.
struct ExchangeTime {
  double messages = 0, bytes = 0;  ///< that a rank sends, counted
  double seconds = 0;              ///< updates and messages
  double seconds_of_messages = 0;  ///< the same messages alone
};

/// The layout sliced. At least `seconds` for each timing.
ExchangeTime time_one_way(const System& system, Ranks& ranks, double seconds);

/// psflip's ranks (docs/mpi.md) in words of `word_bits` bits: half planes to both neighbours, sent from the spins and
/// received in place.
ExchangeTime time_two_way(const System& system, Ranks& ranks, int word_bits, double seconds);

}  // namespace psflip::laboratory
