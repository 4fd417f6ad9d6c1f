#pragma once
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/statistics/jackknife.hpp"

namespace psflip::analysis {

/// Sums for the jackknife at moment `m`: [block][primary quantity].
statistics::Blocks blocks_at(const Ensemble& ensemble, std::size_t m);
/// The same at several moments side by side: [block][moment x primary quantity].
statistics::Blocks blocks_at(const Ensemble& ensemble, const std::vector<std::size_t>& moments);
/// Sums for the jackknife over the second half of a run: the last of logarithmic bins, or half of equal bins. A block
/// is a block of samples; without disorder, with fewer than 16 of these and equal bins, one bin of one of them.
statistics::Blocks equilibrium_blocks(const Ensemble& ensemble);

inline constexpr Eigen::Index fewest_sample_blocks = 16;

}  // namespace psflip::analysis
