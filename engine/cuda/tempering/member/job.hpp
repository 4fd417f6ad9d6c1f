#pragma once
#include "engine/cuda/measure/count_job.hpp"
#include "engine/cuda/tempering/shape.hpp"

/// Kernels of exchange Monte Carlo for any member of the Ising family: spins[pack][slot][parity][set][site], so that a
/// slot has the order of a pack at one temperature (update/pack_layout.hpp).
namespace psflip::cuda {

/// The arrays that sweeps and counts read.
struct MemberWords {
  std::uint32_t* spins;
  const std::uint32_t *couplings, *fields;
  TemperingShape shape;

  /// The words of a slot from a set on.
  template <int D>
  PSFLIP_HD PackView view(std::uint32_t pack, std::uint32_t slot, std::uint32_t set) const {
    return {spins + shape.spins(pack, slot) + std::size_t{set} * shape.sites, couplings + shape.couplings(pack, D),
            shape.sites, shape.parity_stride, D * shape.sites};
  }
};

/// Half sweeps of consecutive slots, one group of sets.
struct MemberSweep {
  MemberWords words;
  std::uint32_t first_slot, slots;  ///< in memory
  std::uint32_t first_half_sweep, half_sweeps, first_set;
};

/// Configurations whose integers are counted, with the members of CountJob. A configuration is one pack at one slot;
/// those of all packs at some slots have the numbers pack * slots + slot.
struct SlotCountJob {
  MemberWords words;
  std::uint32_t first_slot, slots;  ///< in memory
  std::uint32_t first_pack, packs;  ///< number of the first configuration of this launch; configurations
  Planes planes;                    ///< all
  CountRows rows;
  std::uint32_t stride;  ///< rows from one configuration to the next, at least rows.count()
  int* counts;           ///< [configuration][row][sample], zero at the start
  bool of_memory;        ///< counts of all configurations in memory, [pack][slot]; else of this launch

  PSFLIP_HD std::uint32_t pack_of(std::uint32_t number) const { return number / slots; }
  PSFLIP_HD std::uint32_t slot_of(std::uint32_t number) const { return first_slot + number % slots; }
  template <int D>
  PSFLIP_HD PackView view(std::uint32_t number, std::uint32_t set) const {
    return words.view<D>(pack_of(number), slot_of(number), set);
  }
  PSFLIP_HD const std::uint32_t* fields_of(std::uint32_t number) const {
    return words.fields + words.shape.fields(pack_of(number));
  }
  PSFLIP_HD std::size_t sums_of(std::uint32_t number, std::uint32_t) const {
    const std::size_t in_memory = static_cast<std::size_t>(pack_of(number)) * words.shape.slots + slot_of(number);
    return (of_memory ? in_memory : number - first_pack) * stride * 32;
  }
  PSFLIP_HD int* counts_of(std::uint32_t k) const { return counts + sums_of(first_pack + k, 0); }
};

}  // namespace psflip::cuda
