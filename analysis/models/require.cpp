#include "analysis/models/require.hpp"

#include <fmt/format.h>

#include "analysis/models/observables.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {

void require_method(const Ensemble& ensemble, Method method, const std::string& why) {
  if (ensemble.method() != method)
    throw UserError(fmt::format("{} holds {} of {}, but {}; give reduced files of {}.", ensemble.path.string(),
                                name_of(ensemble.method()), ensemble.model(), why, name_of(method)));
}

void require_observables(const Ensemble& ensemble, const std::vector<std::string>& names) {
  const Observables all = observables(ensemble);
  for (const std::string& name : names) {
    if (all.has(name)) continue;
    if (ensemble.preset().has_random_bonds() && ensemble.replicas() < 2)
      throw UserError(fmt::format("{} has one replica, but overlaps need two; simulate with --replicas 2 or more.",
                                  ensemble.path.string()));
    throw UserError(fmt::format("{} has no sums for {}, which {} of {} does not measure; give files that have them.",
                                ensemble.path.string(), name, name_of(ensemble.method()), ensemble.model()));
  }
}

void require_same_blocks(const Ensemble& one, const Ensemble& other) {
  if (one.blocks.ids != other.blocks.ids || one.blocks.samples != other.blocks.samples)
    throw UserError(
        fmt::format("Cannot use {} and {}: temperatures of L = {} stand on different samples; give files of the same "
                    "samples.",
                    one.path.string(), other.path.string(), one.L()));
}

}  // namespace psflip::analysis
