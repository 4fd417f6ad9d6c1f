#pragma once
#include "engine/core/exchange.hpp"
#include "engine/cuda/tempering/shape.hpp"

/// Arrays of exchange Monte Carlo in GPU memory, in the order of TemperingShape.
namespace psflip::cuda {

/// Replica-flow labels of the configurations, bits of words [pack][unit], and counts: accepted[pair of slots][set][lane
/// of all packs], round_trips[set][lane of all packs].
struct FlowLabels {
  std::uint32_t *from_cold, *from_hot;
  int *accepted, *round_trips;
};

/// The sums of a bin: set[SetSum][unit][lane of all packs], pair[random_field_pair_sums][slot][lane of all packs].
struct BinSums {
  double *set, *pair;
};

struct TemperingArrays {
  TemperingShape shape;
  std::uint32_t *spins, *fields, *masks;
  int* counts;
  FlowLabels labels;
  BinSums sums;
  const int *cosine, *sine;
  const ExchangeWeights* weights;  ///< of the pairs of slots in memory
  int shift;                       ///< of the weights
};

/// Data of a slot that another rank needs to exchange with it and to measure the configurations that it receives, pack
/// after pack: the spins of both sets, their integers (TemperingShape) and their replica-flow labels.
struct SlotWords {
  TemperingShape shape;
  std::uint32_t* spins;
  int* counts;
  std::uint32_t *from_cold, *from_hot;

  PSFLIP_HD std::uint32_t spin_words() const { return 4 * shape.sites; }
  PSFLIP_HD std::uint32_t count_words() const { return 64 * shape.unit_rows(); }
  /// Words of the message of one pack.
  PSFLIP_HD std::uint32_t words() const { return spin_words() + count_words() + 4; }

  /// Location in memory of word i of the message of a pack.
  PSFLIP_HD std::uint32_t& word(std::uint32_t pack, std::uint32_t slot, std::uint32_t i) const {
    if (i < spin_words()) return spins[shape.spins(pack, 2 * slot) + i];
    i -= spin_words();
    if (i < count_words()) return reinterpret_cast<std::uint32_t*>(counts)[shape.planes(pack, 2 * slot) + i];
    i -= count_words();
    return (i < 2 ? from_cold : from_hot)[shape.unit(pack, 2 * slot) + i % 2];
  }
};

}  // namespace psflip::cuda
