#include "analysis/models/reduce.hpp"

#include "analysis/models/definitions.hpp"
#include "analysis/models/primaries.hpp"

namespace psflip::analysis {

std::vector<Ensemble> reduce(const io::LabelledFile& measurement, std::optional<std::int64_t> block_samples,
                             bool packs) {
  require_known_job(measurement);
  std::vector<Ensemble> ensembles = block_sums(measurement, primaries_of(measurement), block_samples, packs);
  for (Ensemble& ensemble : ensembles)
    for (const auto& [name, text] : definitions(ensemble.preset())) ensemble.attributes[name] = text;
  return ensembles;
}

}  // namespace psflip::analysis
