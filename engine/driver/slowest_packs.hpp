#pragma once
#include <cstdint>
#include <vector>

#include "engine/io/labelled_file.hpp"
#include "engine/models/system.hpp"

/// Which samples of an exchange Monte Carlo relax slowest.
namespace psflip {

/// The shape of the sums of a tempering job.
struct SumShape {
  std::size_t slots, bins, samples;
};

/// The packs of 32 samples that contribute most to r, summed over slots; of equal packs the first. r of a slot is
/// the mean over samples of the variance of the mean of A over a bin, divided by the thermal variance of A. Taken from
/// the last bin but one, since the last one is what is averaged for all others (docs/rfim3d.md). A is m of a replica in
/// a random field, the bond sum of a replica without disorder, q of a pair of replicas with random bonds.
std::vector<std::uint64_t> slowest_packs(const System& system, const std::vector<io::Dataset>& sums,
                                         const SumShape& shape, std::uint64_t count);

}  // namespace psflip
