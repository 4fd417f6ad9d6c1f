#pragma once
#include <optional>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"

namespace psflip::analysis {

/// Block sums of a measurement file, one ensemble per temperature. The block is the group of samples that share random
/// numbers: a pack of 32 samples where `random` is shared, one sample where it is independent; `block_samples` requests
/// larger blocks. `packs`: whether to keep the sums over packs (ea3d), most of the numbers where blocks are large. The
/// attributes get the definitions of derived numbers. Throws UserError when the file lacks an entry, follows another
/// stream version, or block_samples is no multiple of the block.
std::vector<Ensemble> reduce(const io::LabelledFile& measurement, std::optional<std::int64_t> block_samples,
                             bool packs = true);

}  // namespace psflip::analysis
