#pragma once
#include "engine/core/exchange.hpp"
#include "engine/core/tempering_sums.hpp"
#include "engine/cuda/tempering/shape.hpp"

/// Arrays of exchange Monte Carlo in GPU memory, in the order of TemperingShape.
namespace psflip::cuda {

/// Replica-flow labels of the configurations, a word for each unit (both bits are set if one has visited the hottest
/// slot only), and counts: accepted[pair of slots][set][lane of all packs], round_trips[set][lane of all packs].
struct FlowLabels {
  std::uint32_t *from_cold, *from_hot;
  int *accepted, *round_trips;
};

/// The sums of a bin: set[sum][slot][set][lane of all packs], pair[sum][slot][pair of sets][lane of all packs] with the
/// sums in the order of sum_lists_of(), overlap_counts[slot][lane of all packs][bin of the overlap], the flow
/// counts [slot][set][lane of all packs], and overlap_link_sums[own slot of link_slots][lane of all packs][bin of the
/// overlap], in which a negative sum is its two's complement; link_places[slot] is the first index there, or -1.
struct BinSums {
  double *set, *pair;
  int *overlap_counts, *flow_cold, *flow_hot;
  unsigned long long* overlap_link_sums;
  const int* link_places;
};

/// Counts for one sample, `lane` of those of all packs, the end of the grid that a configuration visited last.
PSFLIP_HD void count_flow(const FlowLabels& labels, const BinSums& sums, const TemperingShape& shape,
                          std::uint32_t slot, std::uint32_t set, std::size_t lane) {
  const std::size_t unit = shape.unit(static_cast<std::uint32_t>(lane / 32), slot, set);
  const std::uint32_t hot = labels.from_hot[unit], cold = labels.from_cold[unit] & ~hot;
  const std::size_t i = (std::size_t{shape.sets} * slot + set) * shape.lanes() + lane;
  sums.flow_cold[i] += static_cast<int>((cold >> (lane % 32)) & 1u);
  sums.flow_hot[i] += static_cast<int>((hot >> (lane % 32)) & 1u);
}

/// Arrays of every kind of model.
struct TemperingArrays {
  std::uint32_t* spins;
  const std::uint32_t *couplings, *fields;
  std::uint32_t* masks;
  EnergyCounts energies;
  FlowLabels labels;
  BinSums sums;
  const int *cosine, *sine;
  const ExchangeWeights* weights;  ///< of the pairs of slots in memory
  int shift;                       ///< of the weights
};

/// Data of a slot that another rank needs to exchange with it and to measure the configurations that it receives, pack
/// after pack: the spins of all sets, their integers and their replica-flow labels.
struct SlotWords {
  TemperingShape shape;
  std::uint32_t* spins;
  int* counts;
  std::size_t counts_of_pack, counts_of_slot;  ///< from one to the next
  std::uint32_t count_words;                   ///< integers of a slot, which are consecutive
  std::uint32_t *from_cold, *from_hot;

  PSFLIP_HD std::uint32_t spin_words() const { return static_cast<std::uint32_t>(shape.slot_words()); }
  /// Words of the message of one pack.
  PSFLIP_HD std::uint32_t words() const { return spin_words() + count_words + 2 * shape.sets; }

  /// Location in memory of word i of the message of a pack.
  PSFLIP_HD std::uint32_t& word(std::uint32_t pack, std::uint32_t slot, std::uint32_t i) const {
    if (i < spin_words()) return spins[shape.spins(pack, slot) + i];
    i -= spin_words();
    if (i < count_words)
      return reinterpret_cast<std::uint32_t*>(counts)[pack * counts_of_pack + slot * counts_of_slot + i];
    i -= count_words;
    return (i < shape.sets ? from_cold : from_hot)[shape.unit(pack, slot, i % shape.sets)];
  }
};

}  // namespace psflip::cuda
