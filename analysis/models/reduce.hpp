#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"

namespace psflip::analysis {

/// Block sums of a measurement file, one ensemble per temperature. The block is the group of samples that share random
/// numbers: a pack of 32 samples where `random` is shared, one sample where it is independent; `block_samples` asks for
/// larger blocks. Throws UserError when the file lacks an entry, follows another stream version, or block_samples is no
/// multiple of the block. `packs`: whether to keep the sums over packs (ea3d), most of the numbers where blocks are
/// large.
std::vector<Ensemble> reduce(const io::LabelledFile& measurement, std::optional<std::int64_t> block_samples,
                             bool packs = true);

/// Per-sample quantities at one temperature and moment: [sample][quantity].
struct Primaries {
  std::vector<std::string> names;
  std::vector<std::string> design_names;  ///< those whose design effect is measured
  std::function<Eigen::MatrixXd(std::size_t temperature, std::size_t moment)> values;
};

/// The per-sample quantities of a measurement file, means over replicas or pairs (docs/analysis.md). The file must
/// outlive what they return.
Primaries ea3d_primaries(const io::LabelledFile& measurement);
Primaries ising2d_primaries(const io::LabelledFile& measurement);
Primaries rfim3d_primaries(const io::LabelledFile& measurement);

}  // namespace psflip::analysis
