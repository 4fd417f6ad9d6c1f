#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/lattice.hpp"

/// Memory of exchange Monte Carlo on the GPU. A pack is the 32 samples of a word; a unit is one configuration of all of
/// them: the slot and set number 2 slot + set, where slots are counted from the first one in memory.
namespace psflip::cuda {

inline constexpr std::uint32_t tempering_sets = 2;  ///< replicas of a sample and slot

struct TemperingShape {
  Lattice<3> lattice;
  std::uint32_t sites;              ///< of one parity
  std::uint32_t first_slot, slots;  ///< in memory, of the grid of temperatures
  std::uint32_t packs;
  const std::uint64_t* pack_numbers;  ///< of the packs, on the device

  PSFLIP_HD std::uint32_t units() const { return 2 * slots; }
  PSFLIP_HD std::size_t lanes() const { return std::size_t{32} * packs; }
  /// Parity of the indices in memory of the colder slots of the pairs that a round tries to exchange.
  PSFLIP_HD std::uint32_t colder_parity(std::uint32_t round) const { return (round + first_slot) & 1u; }

  /// spins[pack][unit][parity][site], fields[pack][parity][site]: words of a configuration are consecutive.
  PSFLIP_HD std::size_t spins(std::uint32_t pack, std::uint32_t unit) const {
    return (static_cast<std::size_t>(pack) * units() + unit) * 2 * sites;
  }
  PSFLIP_HD std::size_t fields(std::uint32_t pack) const { return static_cast<std::size_t>(pack) * 2 * sites; }

  /// Rows of 32 integers, one for each sample of the pack: of each unit the -1 spins of the planes of each axis, the
  /// unsatisfied bonds and the spins against their field; of each slot the sites where the sets differ.
  PSFLIP_HD std::uint32_t unit_rows() const { return 3 * lattice.L + 2; }
  PSFLIP_HD std::size_t count_rows() const { return static_cast<std::size_t>(units()) * unit_rows() + slots; }
  PSFLIP_HD std::size_t planes(std::uint32_t pack, std::uint32_t unit) const {
    return 32 * (pack * count_rows() + static_cast<std::size_t>(unit) * unit_rows());
  }
  PSFLIP_HD std::size_t bonds(std::uint32_t pack, std::uint32_t unit) const {
    return planes(pack, unit) + std::size_t{32} * 3 * lattice.L;
  }
  PSFLIP_HD std::size_t against(std::uint32_t pack, std::uint32_t unit) const { return bonds(pack, unit) + 32; }
  PSFLIP_HD std::size_t differing(std::uint32_t pack, std::uint32_t slot) const {
    return planes(pack, units()) + std::size_t{32} * slot;
  }

  /// masks[pack][pair of slots][set]: samples that exchange in this round.
  PSFLIP_HD std::size_t mask(std::uint32_t pack, std::uint32_t pair, std::uint32_t set) const {
    return (static_cast<std::size_t>(pack) * slots + pair) * 2 + set;
  }
  /// Index of the word of replica-flow labels of a unit.
  PSFLIP_HD std::size_t unit(std::uint32_t pack, std::uint32_t number) const {
    return static_cast<std::size_t>(pack) * units() + number;
  }
};

}  // namespace psflip::cuda
