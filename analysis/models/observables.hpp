#pragma once
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/models/quantities/quantity.hpp"
#include "analysis/statistics/jackknife.hpp"

namespace psflip::analysis {

/// The observables of a method and model in the order of tables, with those that some files lack the integers for.
std::vector<Quantity> observables_of(Method method, const Preset& preset);
/// The one of that name of the method and model of an ensemble; std::out_of_range if there is none.
Quantity observable_of(const Ensemble& ensemble, const std::string& name);

/// Derived numbers as a function of the means of the primary quantities of an ensemble.
struct Observables {
  std::vector<std::string> names;
  statistics::Function evaluate;

  bool has(const std::string& name) const;
  /// Index of a name; std::out_of_range if there is none.
  Eigen::Index index(const std::string& name) const;
};

/// All observables for which the ensemble has the sums, or those of the given names; std::out_of_range if it has not.
Observables observables(const Ensemble& ensemble);
Observables observables(const Ensemble& ensemble, const std::vector<std::string>& names);

/// Calls f(means) with the means of the primary quantities of an ensemble, in the order of its sums.
template <class F>
auto with_means(const Ensemble& ensemble, const Eigen::VectorXd& values, F f) {
  const Columns columns(ensemble.blocks.names);
  return f(Means{{ensemble.L(), ensemble.sites(), ensemble.beta, 0}, columns, values});
}

}  // namespace psflip::analysis
