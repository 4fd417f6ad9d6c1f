#include "analysis/models/read_ensembles.hpp"

#include <fmt/format.h>

#include "analysis/ensemble/reduced_file.hpp"
#include "analysis/models/rfim3d.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {

void require_known_sums(const Ensemble& ensemble) {
  if (ensemble.model() == "rfim3d" && ensemble.blocks.names != rfim3d::primary_names())
    throw UserError(
        fmt::format("Cannot use {}: its sums are not those of this version of the program; reduce the "
                    "measurements again.",
                    ensemble.path.string()));
}

std::vector<Ensemble> read_ensembles(const std::vector<std::filesystem::path>& paths) {
  return read_reduced(paths, require_known_sums);
}

}  // namespace psflip::analysis
