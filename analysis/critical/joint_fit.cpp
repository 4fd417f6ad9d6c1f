#include <algorithm>
#include <set>
#include <stdexcept>

#include "analysis/critical/critical.hpp"
#include "analysis/critical/cumulant_fit.hpp"
#include "analysis/critical/size_powers.hpp"

namespace psflip::analysis {
namespace {

using statistics::Fit;

/// A reference value of R_xi and the smallest size that enters there.
struct Reference {
  double R_xi;
  int L_min;
};

/// The data of a joint fit: every cumulant at every R_xi.
struct Joint {
  std::vector<std::string> cumulants;
  std::vector<Reference> references;

  std::vector<DataSet> data_sets(const ScalingData& data) const {
    std::vector<DataSet> all;
    for (const Reference& reference : references)
      for (const std::string& name : cumulants) all.push_back(data.data_set(name, reference.R_xi, reference.L_min));
    return all;
  }
};

std::vector<std::string> cumulant_names(const std::string& cumulants) {
  return cumulants == "U4+U22" ? std::vector<std::string>{"U4", "U22"} : std::vector<std::string>{cumulants};
}

/// Cumulants, then the quantities of the powers of L at each R_xi: one function of all their points, so that errors
/// of beta_c reach the exponents.
JoinedDataSets joint_data(const ScalingData& data, const Joint& joint) {
  std::vector<DataSet> data_sets = joint.data_sets(data);
  for (const Reference& reference : joint.references)
    for (const DataSet& data_set : SizePowers::data_sets(data, reference.R_xi, reference.L_min))
      data_sets.push_back(data_set);
  return JoinedDataSets(data_sets);
}

/// The rows of beta_c, nu and the levels of the cumulants, without errors.
std::vector<CriticalRow> cumulant_rows(const Fit& fit, const CumulantFit& form, const Joint& joint,
                                       CriticalRow common) {
  common.method = "joint";
  common.chi2 = fit.chi2;
  common.dof = fit.dof;
  std::vector<CriticalRow> rows;
  const auto add = [&](const std::string& quantity, double R_xi, double value) {
    rows.push_back(common);
    rows.back().quantity = quantity;
    rows.back().R_xi = R_xi;
    rows.back().estimate.value = value;
  };
  add("beta_c", common.R_xi, fit.parameters[0]);
  add("nu", common.R_xi, 1 / fit.parameters[1]);
  std::size_t data_set = 0;
  for (const Reference& reference : joint.references)
    for (const std::string& name : joint.cumulants) add(name, reference.R_xi, fit.parameters[form.level(data_set++)]);
  return rows;
}

void require_sense(const Fit& fit, const std::vector<DataSet>& data_sets) {
  double least = INFINITY, largest = 0;
  for (const DataSet& data_set : data_sets) {
    least = std::min(least, data_set.beta.minCoeff());
    largest = std::max(largest, data_set.beta.maxCoeff());
  }
  if (fit.parameters[0] < least || fit.parameters[0] > largest || fit.parameters[1] <= 0)
    throw std::domain_error("beta_c lies outside of the temperatures, or nu is negative");
}

/// `common` with the sizes that enter.
CriticalRow with_sizes(CriticalRow common, const std::vector<DataSet>& data_sets) {
  common.L_min = INFINITY;
  common.L_max = 0;
  for (const DataSet& data_set : data_sets) {
    common.L_min = std::min(common.L_min, data_set.L.minCoeff());
    common.L_max = std::max(common.L_max, data_set.L.maxCoeff());
  }
  return common;
}

/// All rows of a joint fit. `linear`: errors by linear response instead of a fit for every row of the jackknife.
std::vector<CriticalRow> rows_of(const ScalingData& data, const Joint& joint, CriticalRow common, bool linear,
                                 const CriticalOptions& options) {
  const std::vector<DataSet> data_sets = joint.data_sets(data);
  const CumulantFit fit(data_sets, {common.degree, common.omega});
  const JoinedDataSets joined = joint_data(data, joint);
  const Eigen::VectorXd first = joined.y().head(fit.points());
  const Fit best = fit(first, options.beta, options.nu);
  require_sense(best, data_sets);
  common = with_sizes(common, data_sets);
  std::vector<SizePowers> powers;
  for (const Reference& reference : joint.references) {
    common.R_xi = reference.R_xi;
    powers.emplace_back(SizePowers::data_sets(data, reference.R_xi, reference.L_min), common, best.parameters[0]);
  }
  if (linear) common.R_xi = statistics::unknown;
  const Eigen::MatrixXd response = linear ? fit.response(best.parameters) : Eigen::MatrixXd();
  return with_errors(joined, [&](const Eigen::VectorXd& y) {
    Fit now = best;
    if (linear)
      now.parameters += response * (y.head(fit.points()) - first);
    else
      now = fit(y.head(fit.points()), best.parameters);
    std::vector<CriticalRow> rows = cumulant_rows(now, fit, joint, common);
    std::size_t data_set = data_sets.size();
    for (const SizePowers& one : powers) {
      const auto more = one.rows({joined.part(y, data_set), joined.part(y, data_set + 1)}, now.parameters[0]);
      rows.insert(rows.end(), more.begin(), more.end());
      data_set += 2;
    }
    return rows;
  });
}

/// Whether the points of every cumulant at one R_xi determine its own terms.
bool determined(const ScalingData& data, const Joint& one, const CumulantForm& form) {
  const std::vector<DataSet> data_sets = one.data_sets(data);
  return std::all_of(data_sets.begin(), data_sets.end(), [&](const DataSet& data_set) {
    const std::set<double> sizes(data_set.L.begin(), data_set.L.end());
    return sizes.size() >= (form.corrected() ? 3 : 2) && data_set.y.size() > form.amplitudes();
  });
}

}  // namespace

std::vector<CriticalRow> joint_fit(const ScalingData& data, const std::string& cumulants, double R_xi, int L_min,
                                   double omega, const CriticalOptions& options) {
  const CriticalRow common{"", "", cumulants, R_xi, 0, 0, omega, options.degrees.front(), {}};
  return rows_of(data, {cumulant_names(cumulants), {{R_xi, L_min}}}, common, false, options);
}

std::vector<CriticalRow> fit_together(const ScalingData& data, const std::string& cumulants, double xi_min,
                                      double omega, const CriticalOptions& options) {
  Joint joint{cumulant_names(cumulants), {}};
  for (const double R_xi : options.together) {
    const auto large = [&](int L) { return L * R_xi >= xi_min * (1 - 1e-9); };
    const auto smallest = std::find_if(data.sizes().begin(), data.sizes().end(), large);
    if (smallest == data.sizes().end()) continue;
    const Reference reference{R_xi, *smallest};
    if (determined(data, {joint.cumulants, {reference}}, {options.degrees.front(), omega}))
      joint.references.push_back(reference);
  }
  if (joint.references.empty())
    throw std::domain_error("no reference value of R_xi determines the terms of a cumulant");
  CriticalRow common{"", "", cumulants, statistics::unknown, 0, 0, omega, options.degrees.front(), {}};
  common.xi_min = xi_min;
  return rows_of(data, joint, common, true, options);
}

}  // namespace psflip::analysis
