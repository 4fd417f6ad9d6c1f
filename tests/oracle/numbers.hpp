#pragma once
#include <cstdint>

#include "engine/driver/engine.hpp"
#include "philox.hpp"

/// docs/randomness.md in code, one number at a time.
namespace psflip::oracle {

enum class Stream : std::uint32_t { couplings = 1, fields = 2, initial_spins = 3, metropolis = 4, exchange = 5 };

std::uint64_t splitmix64(std::uint64_t x);
/// The 24 bits that keep the numbers of two systems apart; beta_bits = 0 for disorder.
std::uint32_t system_tag(const System& system, std::uint64_t beta_bits);

/// Where a site of a sample lives in the table of addresses. With sites packing a "pack" is one sample and its lanes
/// are sites.
struct Place {
  std::uint32_t index;  ///< counter word c0
  std::uint64_t pack;
  unsigned lane;  ///< bit in the 32-bit words of the pack
};
Place place_of(const System& system, std::uint64_t sample, std::uint64_t site);

/// The variable part of a counter: c1 and the fields of c3; the temperature slot is 0 in a System of one temperature.
struct Draw {
  std::uint32_t time;  ///< half sweep, or parity for couplings and initial spins, or round of exchanges
  unsigned replica_field;
  unsigned draw;
  unsigned slot = 0;
};
Counter counter_of(const Place& place, const Draw& draw);

/// The number whose upper byte comes bit by bit from eight planes and whose rest is the lane's own.
std::uint32_t independent_number(const Key& key, const Place& place, unsigned replica, std::uint32_t half_sweep,
                                 unsigned slot = 0);

/// +1 or -1, the bond from `site` to its neighbour in `direction`.
int coupling(const System& system, std::uint64_t sample, std::uint64_t site, int parity, int direction);
/// +1 or -1, the random initial spin.
int initial_spin(const System& system, std::uint64_t sample, int replica, std::uint64_t site, int parity);
/// The number u that decides about one spin in one half sweep.
std::uint32_t metropolis_number(const System& system, std::uint64_t sample, int replica, std::uint64_t site,
                                std::uint64_t half_sweep);

}  // namespace psflip::oracle
