#pragma once
#include "engine/cuda/tempering/arrays.hpp"

namespace psflip::cuda {

/// Index of every sum in the list of a system, -1 if it has none.
struct SumPlaces {
  std::int8_t set[set_sums], pair[pair_sums];
};

/// The sums that a round adds to.
struct SlotSums {
  SumPlaces places;
  BinSums sums;
  std::int32_t against, links;  ///< rows of the first set and pair in the counts of a configuration; -1: none
  const int *cosine, *sine;
  std::int32_t overlap_bins;
};

/// The energies of a round, which were counted before its exchanges.
struct EnergiesBefore {
  EnergyCounts counts;
  Exchanges exchanges;
};

}  // namespace psflip::cuda
