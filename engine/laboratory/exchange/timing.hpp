#pragma once
#include <functional>

#include "engine/driver/part_engine.hpp"
#include "engine/laboratory/exchange/sliced_ranks.hpp"

/// Messages and times of the one-directional exchange and of psflip's exchange in two directions. Called by all ranks
/// together; all get the times of rank 0.
namespace psflip::laboratory {

/// Of one half sweep.
struct ExchangeTime {
  double messages = 0, bytes = 0;         ///< that a rank sends, counted
  double seconds = 0;                     ///< updates and messages
  double seconds_without_neighbours = 0;  ///< the same if each rank is its own neighbour; psflip only
  double seconds_of_messages = 0;         ///< the same messages alone
};

/// The layout sliced. At least `seconds` for each timing.
ExchangeTime time_one_way(const System& system, Ranks& ranks, double seconds);

/// How a backend makes the slab of a rank, and how a rank waits until it has finished its work.
struct SlabBackend {
  MakePart make_part;
  std::function<void()> wait;
};

/// psflip's ranks (docs/mpi.md): half planes to both neighbours. Messages are not timed alone.
ExchangeTime time_two_way(const System& system, Ranks& ranks, const SlabBackend& backend, double seconds);

/// Its messages alone, half planes of `bytes` bytes to both neighbours, from the memory of the host: seconds of a pair.
double seconds_of_two_way_messages(Ranks& ranks, std::size_t bytes, double seconds);

/// The words of `word_bits` bits of a CPU, by one thread; 0 takes the widest.
SlabBackend cpu_slabs(int word_bits);

}  // namespace psflip::laboratory
