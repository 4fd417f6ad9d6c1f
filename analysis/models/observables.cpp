#include "analysis/models/observables.hpp"

#include <algorithm>
#include <stdexcept>

#include "analysis/models/quantities/tables.hpp"

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

/// A formula, or the column of the mean that the observable is.
struct Value {
  Formula formula;
  Eigen::Index column;

  double operator()(const Means& mean) const { return formula != nullptr ? formula(mean) : mean.values[column]; }
};

/// The observable from the sums of an ensemble. Throws std::out_of_range if it needs another sum.
Value value_of(const Quantity& observable, const Ensemble& ensemble) {
  if (observable.is_primary()) return {nullptr, static_cast<Eigen::Index>(ensemble.blocks.index(observable.name))};
  const Eigen::VectorXd any = Eigen::VectorXd::Ones(std::ssize(ensemble.blocks.names));
  with_means(ensemble, any, observable.formula);
  return {observable.formula, -1};
}

Observables make_observables(const Ensemble& ensemble, std::vector<std::string> names, std::vector<Value> values) {
  const JobNumbers job{ensemble.L(), ensemble.sites(), ensemble.beta, last_bin(ensemble)};
  return {std::move(names),
          [job, columns = Columns(ensemble.blocks.names), values = std::move(values)](const Eigen::VectorXd& mean) {
            const Means means{job, columns, mean};
            Eigen::VectorXd out(std::ssize(values));
            for (std::size_t i = 0; i < values.size(); ++i) out[static_cast<Eigen::Index>(i)] = values[i](means);
            return out;
          }};
}

}  // namespace

std::vector<Quantity> observables_of(Method method, const Preset& preset) {
  std::vector<Quantity> table = quantities_of(method, preset);
  std::erase_if(table, [](const Quantity& one) { return !one.is_observable(); });
  return table;
}

Quantity observable_of(const Ensemble& ensemble, const std::string& name) {
  const std::vector<Quantity> all = observables_of(ensemble.method(), ensemble.preset());
  const auto found = std::find_if(all.begin(), all.end(), [&](const Quantity& one) { return one.name == name; });
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
  std::vector<std::string> names;
  std::vector<Value> values;
  for (const Quantity& one : observables_of(ensemble.method(), ensemble.preset())) {
    try {
      values.push_back(value_of(one, ensemble));
    } catch (const std::out_of_range&) {
      continue;  // its sums are not in the ensemble
    }
    names.push_back(one.name);
  }
  return make_observables(ensemble, std::move(names), std::move(values));
}

Observables observables(const Ensemble& ensemble, const std::vector<std::string>& names) {
  std::vector<Value> values;
  for (const std::string& name : names) values.push_back(value_of(observable_of(ensemble, name), ensemble));
  return make_observables(ensemble, names, std::move(values));
}

}  // namespace psflip::analysis
