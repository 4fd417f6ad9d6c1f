#pragma once
#include <cstdint>

#include "analysis/ensemble/ensemble.hpp"

namespace psflip::analysis {

/// Adds the sums of neighbouring jackknife blocks, so that a block has `block_samples` samples; sums over packs and of
/// products are left out. Throws UserError unless block_samples is a multiple of the size of the blocks.
void join_blocks(Ensemble& ensemble, std::int64_t block_samples);

}  // namespace psflip::analysis
