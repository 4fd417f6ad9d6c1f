#pragma once
#include <cstdint>

#include "engine/models/system.hpp"
#include "philox.hpp"

/// docs/randomness.md in code, one number at a time.
namespace psflip::oracle {

enum class Stream : std::uint32_t { couplings = 1, fields = 2, initial_spins = 3, metropolis = 4, exchange = 5 };

std::uint64_t splitmix64(std::uint64_t x);
/// The 24 bits that keep the numbers of two systems apart. `temperature` is 0 for disorder, the bits of beta for one
/// temperature without field, else grid_hash().
std::uint32_t system_tag(const System& system, std::uint64_t temperature);
/// Hash of J, h and every beta.
std::uint64_t grid_hash(const System& system);

/// Address of a site of a sample. With packing of sites a "pack" is one sample and its lanes are sites.
struct Place {
  std::uint32_t index;  ///< counter word c0
  std::uint64_t pack;
  unsigned lane;  ///< bit in the 32-bit words of the pack
};
Place place_of(const System& system, std::uint64_t sample, std::uint64_t site);

/// The variable part of a counter: c1 and the fields of c3.
struct Draw {
  std::uint32_t time;  ///< half sweep; parity for disorder and initial spins; round of exchanges
  unsigned replica_field;
  unsigned draw;
  unsigned slot;
};
Counter counter_of(const Place& place, const Draw& draw);

/// Copy of a sample: a replica at the temperature of a slot.
struct Copy {
  std::uint64_t sample;
  unsigned replica, slot;
};

/// The random numbers of a system.
class Numbers {
 public:
  explicit Numbers(const System& system);

  /// +1 or -1, the bond from `site` to its neighbour in `direction`.
  int coupling(std::uint64_t sample, std::uint64_t site, unsigned direction) const;
  /// +1 or -1, the sign of the field on a site.
  int field(std::uint64_t sample, std::uint64_t site) const;
  /// +1 or -1, the initial spin.
  int initial_spin(const Copy& copy, std::uint64_t site) const;
  /// The number u that decides about one spin in one half sweep.
  std::uint32_t metropolis(const Copy& copy, std::uint64_t site, std::uint64_t half_sweep) const;
  /// The number u that decides about the exchange of the slot of `copy` and the next in one round.
  std::uint32_t exchange(const Copy& copy, std::uint64_t round) const;

 private:
  Counter words(Stream stream, const Place& place, const Draw& draw) const;
  std::uint32_t independent(Stream stream, const Copy& copy, const Place& place, std::uint32_t time) const;
  std::uint32_t parity_of(std::uint64_t site) const;

  System system_;
  std::uint32_t disorder_tag_, trajectory_tag_;
};

}  // namespace psflip::oracle
