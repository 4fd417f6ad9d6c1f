#include "analysis/app/tables/keys.hpp"

#include "analysis/app/tables/csv.hpp"

namespace psflip::app {
namespace {

/// Attributes are not written where they have their default.
double real_or(const analysis::Ensemble& ensemble, const char* name, double otherwise) {
  const auto found = ensemble.attributes.find(name);
  return found == ensemble.attributes.end() ? otherwise : std::get<double>(found->second);
}

Keys keys_of(const analysis::Ensemble& ensemble) {
  const bool random_bonds = std::get<std::string>(ensemble.attributes.at("couplings")) == "bimodal";
  return {ensemble.model(), std::string(name_of(ensemble.method())), coordinate(real_or(ensemble, "h", 0)),
          coordinate(real_or(ensemble, "p", random_bonds ? 0.5 : 0)), std::to_string(ensemble.integer("seed"))};
}

}  // namespace

Keys keys_of(const std::vector<analysis::Ensemble>& ensembles) {
  Keys common = keys_of(ensembles.front());
  for (const analysis::Ensemble& ensemble : ensembles) {
    const Keys keys = keys_of(ensemble);
    for (std::string Keys::*key : {&Keys::h, &Keys::p, &Keys::seed})
      if (keys.*key != common.*key) (common.*key).clear();
  }
  return common;
}

}  // namespace psflip::app
