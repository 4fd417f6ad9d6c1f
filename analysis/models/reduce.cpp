#include "analysis/models/reduce.hpp"

#include "analysis/models/definitions.hpp"
#include "analysis/models/primaries.hpp"

namespace psflip::analysis {

Primaries primaries_of(const io::LabelledFile& measurement) {
  const std::string& model = measurement.text("model");
  if (model == "ea3d") return ea3d_primaries(measurement);
  return model == "rfim3d" ? rfim3d_primaries(measurement) : ising2d_primaries(measurement);
}

std::vector<Ensemble> reduce(const io::LabelledFile& measurement, std::optional<std::int64_t> block_samples,
                             bool packs) {
  require_known_job(measurement);
  std::vector<Ensemble> ensembles = block_sums(measurement, primaries_of(measurement), block_samples, packs);
  for (Ensemble& ensemble : ensembles)
    for (const auto& [name, text] : definitions()) ensemble.attributes[name] = text;
  return ensembles;
}

}  // namespace psflip::analysis
