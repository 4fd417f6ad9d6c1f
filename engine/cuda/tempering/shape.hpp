#pragma once
#include <cstddef>
#include <cstdint>

#include "engine/core/platform.hpp"

/// Memory of exchange Monte Carlo on the GPU. A pack is the 32 samples of a word; a unit is the configuration of one
/// set of replicas at one slot, of all samples of a pack. Slots are counted from the first one in memory.
namespace psflip::cuda {

struct TemperingShape {
  std::uint32_t L, sites;           ///< sites of one parity
  std::uint32_t sets;               ///< replicas of a sample and slot
  std::uint32_t first_slot, slots;  ///< in memory, of the grid of temperatures
  std::uint32_t packs;
  std::uint32_t set_stride, parity_stride;  ///< words from one set of a slot to the next, and from parity 0 to 1
  const std::uint64_t* pack_numbers;        ///< of the packs, on the device

  PSFLIP_HD std::uint32_t units() const { return sets * slots; }
  PSFLIP_HD std::size_t lanes() const { return std::size_t{32} * packs; }
  /// Parity of the indices in memory of the colder slots of the pairs that a round tries to exchange.
  PSFLIP_HD std::uint32_t colder_parity(std::uint32_t round) const { return (round + first_slot) & 1u; }

  /// The words of a slot are consecutive: spins[pack][slot], in it the sets and parities.
  PSFLIP_HD std::size_t slot_words() const { return std::size_t{2} * sets * sites; }
  PSFLIP_HD std::size_t spins(std::uint32_t pack, std::uint32_t slot) const {
    return (static_cast<std::size_t>(pack) * slots + slot) * slot_words();
  }
  /// couplings[pack][parity][direction][site] of `directions` directions, fields[pack][parity][site].
  PSFLIP_HD std::size_t couplings(std::uint32_t pack, std::uint32_t directions) const {
    return static_cast<std::size_t>(pack) * 2 * directions * sites;
  }
  PSFLIP_HD std::size_t fields(std::uint32_t pack) const { return couplings(pack, 1); }
  /// Index of a unit in labels[pack][slot][set]; masks[pack][pair of slots][set], the samples that exchange in a round,
  /// have the index of the colder slot.
  PSFLIP_HD std::size_t unit(std::uint32_t pack, std::uint32_t slot, std::uint32_t set) const {
    return (static_cast<std::size_t>(pack) * slots + slot) * sets + set;
  }
};

/// Where the integers of the energies are: unsatisfied bonds and spins against their field of every unit, a row of 32
/// for the samples of a pack. Without fields in memory, the second are the -1 spins.
struct EnergyCounts {
  int* counts;
  std::size_t of_pack, of_slot, of_set;  ///< from one to the next
  std::size_t bonds, against;            ///< of the first unit

  PSFLIP_HD std::size_t at(std::uint32_t pack, std::uint32_t slot, std::uint32_t set) const {
    return pack * of_pack + slot * of_slot + set * of_set;
  }
};

/// The slots in memory that a thread block treats together: a pair that tries to exchange, or a slot without a partner.
/// The colder slots of pairs have the parity `odd`.
struct SlotGroup {
  std::uint32_t slot;  ///< the colder of the pair
  bool is_pair;

  PSFLIP_HD SlotGroup(std::uint32_t number, std::uint32_t odd, std::uint32_t slots) {
    slot = odd == 0 ? 2 * number : number == 0 ? 0 : 2 * number - 1;  // odd: slot 0 has no partner
    is_pair = slot + 1 < slots && !(odd == 1 && number == 0);
  }
  PSFLIP_HD static std::uint32_t number_of(std::uint32_t slot, std::uint32_t odd) { return (slot + odd) / 2; }
};

/// The exchanges of a round.
struct Exchanges {
  const std::uint32_t* masks;  ///< samples that have exchanged, at TemperingShape::unit() of the colder slot of a pair
  std::uint32_t odd;           ///< parity of the colder slots in memory

  /// The slot in memory that held before them what `slot` now holds of sample `lane` of a pack.
  PSFLIP_HD std::uint32_t slot_before(const TemperingShape& shape, std::uint32_t pack, std::uint32_t slot,
                                      std::uint32_t set, std::uint32_t lane) const {
    const SlotGroup group(SlotGroup::number_of(slot, odd), odd, shape.slots);
    const bool exchanged = group.is_pair && (masks[shape.unit(pack, group.slot, set)] >> lane & 1u) != 0;
    return exchanged ? 2 * group.slot + 1 - slot : slot;
  }
};

}  // namespace psflip::cuda
