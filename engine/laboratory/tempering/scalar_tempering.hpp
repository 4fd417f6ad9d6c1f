#pragma once
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "engine/laboratory/reference/scalar.hpp"
#include "engine/models/tables.hpp"

/// Exchange Monte Carlo of the square ferromagnet by one processor, one byte a spin: the plain reference of Weigel, J.
/// Comput. Phys. 231, 3064 (2012), section 6. Lattices keep their place and swap their temperatures.
namespace psflip::laboratory {

/// psflip's addressed numbers of sample 0, replica 0 (docs/randomness.md, independent).
class AddressedTemperingNumbers {
 public:
  static constexpr std::uint32_t most = 0xffffffffu;
  explicit AddressedTemperingNumbers(const System& system)
      : spins_(trajectory_key(system, Stream::initial_spins)),
        metropolis_(trajectory_key(system, Stream::metropolis)),
        exchange_(trajectory_key(system, Stream::exchange)) {}

  bool starts_down(std::size_t slot, std::size_t site, int parity) const {
    return (at(spins_, slot, site, static_cast<std::uint32_t>(parity), 0) & 1u) != 0;
  }
  std::uint32_t metropolis(std::size_t slot, std::size_t site, std::uint32_t half_sweep) const;
  std::uint32_t exchange(std::size_t slot, std::uint32_t round) const { return at(exchange_, slot, 0, round, 0); }

 private:
  static std::uint32_t at(const Key& key, std::size_t slot, std::size_t site, std::uint32_t when, std::uint32_t draw) {
    return numbers_at(key, static_cast<std::uint32_t>(site / 2), when, 0, 0, draw, static_cast<std::uint32_t>(slot))
        .x[0];
  }
  Key spins_, metropolis_, exchange_;
};

/// MINSTD, as in every scalar reference.
class SerialTemperingNumbers {
 public:
  static constexpr std::uint32_t most = std::minstd_rand0::max();
  explicit SerialTemperingNumbers(const System& system) : generator_(system.seed) {}

  bool starts_down(std::size_t, std::size_t, int) { return ((generator_() >> 16) & 1u) != 0; }
  std::uint32_t metropolis(std::size_t, std::size_t, std::uint32_t) { return static_cast<std::uint32_t>(generator_()); }
  std::uint32_t exchange(std::size_t, std::uint32_t) { return static_cast<std::uint32_t>(generator_() << 1); }

 private:
  std::minstd_rand0 generator_;
};

/// One lattice in each temperature slot of a System of the square ferromagnet without field.
template <class Numbers>
class ScalarTempering {
 public:
  explicit ScalarTempering(const System& system);

  /// The half sweeps of each lattice, then exchanges of neighbouring slots.
  void advance(std::uint64_t rounds);
  std::vector<std::int8_t> spins(std::size_t slot) const { return lattices_[lattice_at_[slot]].spins; }
  std::uint64_t exchanges() const { return exchanges_; }  ///< accepted so far

 private:
  void sweep(std::size_t slot);
  void exchange();
  std::int64_t bond_sum(std::size_t slot) const;

  System system_;
  Numbers numbers_;
  ExchangeTable table_;
  std::vector<std::array<std::uint32_t, 2>> thresholds_;  ///< [slot][unsatisfied bonds]
  std::vector<ScalarLattice<2>> lattices_;
  std::vector<std::size_t> lattice_at_;  ///< [slot]
  std::uint64_t rounds_ = 0, exchanges_ = 0;
};

}  // namespace psflip::laboratory
