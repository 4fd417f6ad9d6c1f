#pragma once
#include <cstdint>
#include <vector>

#include "engine/laboratory/bands/winding.hpp"

namespace psflip::laboratory {

/// Quench of the 2D ferromagnet from random spins to a temperature below the critical one. T = 0: heat bath of
/// ZeroTemperature. T > 0: Metropolis by the engine of psflip, samples in a word.
struct Quench {
  int L = 0;
  double T = 0;                ///< in J / k_B
  std::uint64_t lattices = 0;  ///< a multiple of 64
  std::uint64_t sweeps = 0;
  std::uint32_t seed = 0;
  int threads = 1;
};

struct QuenchResult {
  std::vector<std::uint64_t> times;            ///< in sweeps: integers nearest to 2^(k/2), L, the last sweep
  std::vector<std::vector<BandState>> states;  ///< [time][lattice]
  /// T = 0: first time, to L / 4 sweeps, at which no spin of a lattice can flip; 0 if some can at the end. T > 0:
  /// empty.
  std::vector<std::uint64_t> frozen;

  /// First of the times from which on a lattice has its last state.
  std::uint64_t settled(std::size_t lattice) const;
};

/// Independent of the number of threads.
QuenchResult quench(const Quench& quench);

/// Bytes that it needs at once.
double bytes_of(const Quench& quench);

}  // namespace psflip::laboratory
