#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/statistics/jackknife.hpp"

namespace psflip::analysis {

/// Numbers of a job that enter formulas next to the means of its sums.
struct JobNumbers {
  int L;
  double sites, beta;
  double bin_sweeps;  ///< length of the last bin; 0 without bins
};

/// Means of the primary quantities, by their index, with the numbers of the job.
struct Means : JobNumbers {
  const Eigen::VectorXd& values;

  double operator[](Eigen::Index primary) const { return values[primary]; }
};

/// One derived number. A new one is a new entry in the table of its model.
struct Observable {
  std::string name;
  std::string label;  ///< for figures, TeX
  double (*formula)(const Means& mean);
  std::string tau = {};          ///< name of the autocorrelation time that governs it; "": none
  std::int64_t replicas = 1;     ///< the fewest that it needs
  bool odd_powers_of_m = false;  ///< depends on how often m is positive and how often negative
};

/// The observables of a model, in the order of its tables.
const std::vector<Observable>& observables_of(std::string_view model);
/// The one of that name; std::out_of_range if there is none.
const Observable& observable_of(std::string_view model, const std::string& name);
const std::vector<Observable>& ea3d_observables();
const std::vector<Observable>& ising2d_observables();
const std::vector<Observable>& rfim3d_observables();

/// Derived numbers as a function of the means of the primary quantities of an ensemble.
struct Observables {
  std::vector<std::string> names;
  statistics::Function evaluate;

  bool has(const std::string& name) const;
  /// Index of a name; std::out_of_range if there is none.
  Eigen::Index index(const std::string& name) const;
};

/// All observables that the replicas of the ensemble allow, or those of the given names.
Observables observables(const Ensemble& ensemble);
Observables observables(const Ensemble& ensemble, const std::vector<std::string>& names);

}  // namespace psflip::analysis
