#include "analysis/models/observables.hpp"

#include <algorithm>
#include <stdexcept>

namespace psflip::analysis {
namespace {

/// Sweeps of the last bin; 0 without bins.
double last_bin(const Ensemble& ensemble) {
  const std::vector<std::int64_t>& ends = ensemble.moments;
  if (ensemble.method() == Method::relaxation || ends.empty()) return 0;
  if (ensemble.method() == Method::equilibrium)
    return static_cast<double>(ensemble.integer("measure_interval") * ensemble.measurements.back());
  return static_cast<double>(ends.back() - (ends.size() > 1 ? ends[ends.size() - 2] : 0));
}

Observables make_observables(const Ensemble& ensemble, const std::vector<Observable>& entries) {
  Observables result;
  std::vector<double (*)(const Means&)> formulas;
  for (const Observable& entry : entries) {
    result.names.push_back(entry.name);
    formulas.push_back(entry.formula);
  }
  const JobNumbers job{ensemble.L(), ensemble.sites(), ensemble.beta, last_bin(ensemble)};
  result.evaluate = [job, formulas](const Eigen::VectorXd& mean) {
    const Means means{job, mean};
    Eigen::VectorXd out(std::ssize(formulas));
    for (std::size_t i = 0; i < formulas.size(); ++i) out[static_cast<Eigen::Index>(i)] = formulas[i](means);
    return out;
  };
  return result;
}

}  // namespace

const std::vector<Observable>& observables_of(std::string_view model) {
  if (model == "ea3d") return ea3d_observables();
  return model == "rfim3d" ? rfim3d_observables() : ising2d_observables();
}

const Observable& observable_of(std::string_view model, const std::string& name) {
  const std::vector<Observable>& all = observables_of(model);
  const auto found = std::find_if(all.begin(), all.end(), [&](const Observable& one) { return one.name == name; });
  if (found == all.end()) throw std::out_of_range("no observable " + name);
  return *found;
}

bool Observables::has(const std::string& name) const {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Eigen::Index Observables::index(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::out_of_range("no observable " + name);
  return found - names.begin();
}

Observables observables(const Ensemble& ensemble) {
  std::vector<Observable> entries = observables_of(ensemble.model());
  std::erase_if(entries, [&](const Observable& entry) { return entry.replicas > ensemble.replicas(); });
  return make_observables(ensemble, entries);
}

Observables observables(const Ensemble& ensemble, const std::vector<std::string>& names) {
  std::vector<Observable> entries;
  for (const std::string& name : names) entries.push_back(observable_of(ensemble.model(), name));
  return make_observables(ensemble, entries);
}

}  // namespace psflip::analysis
