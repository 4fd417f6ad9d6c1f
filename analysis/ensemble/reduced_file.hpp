#pragma once
#include <filesystem>
#include <functional>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"

namespace psflip::analysis {

/// The file of kind "reduced" (docs/file-format.md) that holds ensembles of one job at several temperatures. All must
/// share moments, blocks and ranges, as those of one measurement file do.
io::LabelledFile to_file(const std::vector<Ensemble>& ensembles);

/// One ensemble per temperature. Throws UserError when the file lacks an entry or follows another stream version.
std::vector<Ensemble> from_file(const io::LabelledFile& file);

/// Reads reduced files and merges their ensembles (see merge). `verify` gets every ensemble before and may throw.
std::vector<Ensemble> read_reduced(const std::vector<std::filesystem::path>& paths,
                                   const std::function<void(const Ensemble&)>& verify);

}  // namespace psflip::analysis
