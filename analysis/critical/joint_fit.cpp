#include <algorithm>
#include <set>
#include <stdexcept>

#include "analysis/critical/critical.hpp"
#include "analysis/critical/cumulant_fit.hpp"
#include "analysis/critical/size_powers.hpp"

namespace psflip::analysis {
namespace {

using statistics::Fit;

/// Readings at one clock, of sizes from L_min on.
struct Clock {
  double R_xi;
  int L_min;
};

/// What a joint fit is made of: every cumulant at every clock.
struct Joint {
  std::vector<std::string> cumulants;
  std::vector<Clock> clocks;

  std::vector<Sheet> sheets(const ScalingData& data) const {
    std::vector<Sheet> all;
    for (const Clock& clock : clocks)
      for (const std::string& name : cumulants) all.push_back(data.sheet(name, clock.R_xi, clock.L_min));
    return all;
  }
};

std::vector<std::string> cumulant_names(const std::string& cumulants) {
  return cumulants == "U4+U22" ? std::vector<std::string>{"U4", "U22"} : std::vector<std::string>{cumulants};
}

/// Cumulants, then what the powers of L are fitted to at each clock: one function of all their points, so that errors
/// of beta_c reach the exponents.
Stack joint_stack(const ScalingData& data, const Joint& joint) {
  std::vector<Sheet> sheets = joint.sheets(data);
  for (const Clock& clock : joint.clocks)
    for (const Sheet& sheet : SizePowers::sheets(data, clock.R_xi, clock.L_min)) sheets.push_back(sheet);
  return Stack(sheets);
}

/// The rows of beta_c, nu and the levels of the cumulants, without errors.
std::vector<CriticalRow> cumulant_rows(const Fit& fit, const CumulantFit& form, const Joint& joint,
                                       CriticalRow common) {
  common.method = "joint";
  common.chi2 = fit.chi2;
  common.dof = fit.dof;
  std::vector<CriticalRow> rows;
  const auto add = [&](const std::string& quantity, double clock, double value) {
    rows.push_back(common);
    rows.back().quantity = quantity;
    rows.back().clock = clock;
    rows.back().estimate.value = value;
  };
  add("beta_c", common.clock, fit.parameters[0]);
  add("nu", common.clock, 1 / fit.parameters[1]);
  std::size_t sheet = 0;
  for (const Clock& clock : joint.clocks)
    for (const std::string& name : joint.cumulants) add(name, clock.R_xi, fit.parameters[form.level(sheet++)]);
  return rows;
}

void require_sense(const Fit& fit, const std::vector<Sheet>& sheets) {
  double least = INFINITY, largest = 0;
  for (const Sheet& sheet : sheets) {
    least = std::min(least, sheet.beta.minCoeff());
    largest = std::max(largest, sheet.beta.maxCoeff());
  }
  if (fit.parameters[0] < least || fit.parameters[0] > largest || fit.parameters[1] <= 0)
    throw std::domain_error("beta_c lies outside of the temperatures, or nu is negative");
}

/// `common` with the sizes that enter.
CriticalRow with_sizes(CriticalRow common, const std::vector<Sheet>& sheets) {
  common.L_min = INFINITY;
  common.L_max = 0;
  for (const Sheet& sheet : sheets) {
    common.L_min = std::min(common.L_min, sheet.L.minCoeff());
    common.L_max = std::max(common.L_max, sheet.L.maxCoeff());
  }
  return common;
}

/// All rows of a joint fit. `linear`: errors by linear response instead of a fit for every row of the jackknife.
std::vector<CriticalRow> rows_of(const ScalingData& data, const Joint& joint, CriticalRow common, bool linear,
                                 const CriticalOptions& options) {
  const std::vector<Sheet> sheets = joint.sheets(data);
  const CumulantFit fit(sheets, {common.degree, common.omega});
  const Stack stack = joint_stack(data, joint);
  const Eigen::VectorXd first = stack.y().head(fit.points());
  const Fit best = fit(first, options.beta, options.nu);
  require_sense(best, sheets);
  common = with_sizes(common, sheets);
  std::vector<SizePowers> powers;
  for (const Clock& clock : joint.clocks) {
    common.clock = clock.R_xi;
    powers.emplace_back(SizePowers::sheets(data, clock.R_xi, clock.L_min), common, best.parameters[0]);
  }
  if (linear) common.clock = statistics::unknown;
  const Eigen::MatrixXd response = linear ? fit.response(best.parameters) : Eigen::MatrixXd();
  return with_errors(stack, [&](const Eigen::VectorXd& y) {
    Fit now = best;
    if (linear)
      now.parameters += response * (y.head(fit.points()) - first);
    else
      now = fit(y.head(fit.points()), best.parameters);
    std::vector<CriticalRow> rows = cumulant_rows(now, fit, joint, common);
    std::size_t sheet = sheets.size();
    for (const SizePowers& one : powers) {
      const auto more = one.rows({stack.part(y, sheet), stack.part(y, sheet + 1)}, now.parameters[0]);
      rows.insert(rows.end(), more.begin(), more.end());
      sheet += 2;
    }
    return rows;
  });
}

/// Whether the points of every cumulant at a clock determine its own terms.
bool determined(const ScalingData& data, const Joint& one, const CumulantForm& form) {
  const std::vector<Sheet> sheets = one.sheets(data);
  return std::all_of(sheets.begin(), sheets.end(), [&](const Sheet& sheet) {
    const std::set<double> sizes(sheet.L.begin(), sheet.L.end());
    return sizes.size() >= (form.corrected() ? 3 : 2) && sheet.y.size() > form.amplitudes();
  });
}

}  // namespace

std::vector<CriticalRow> joint_fit(const ScalingData& data, const std::string& cumulants, double clock, int L_min,
                                   double omega, const CriticalOptions& options) {
  const CriticalRow common{"", "", cumulants, clock, 0, 0, omega, options.degrees.front(), {}};
  return rows_of(data, {cumulant_names(cumulants), {{clock, L_min}}}, common, false, options);
}

std::vector<CriticalRow> fit_together(const ScalingData& data, const std::string& cumulants, double xi_min,
                                      double omega, const CriticalOptions& options) {
  Joint joint{cumulant_names(cumulants), {}};
  for (const double R_xi : options.together) {
    const auto large = [&](int L) { return L * R_xi >= xi_min * (1 - 1e-9); };
    const auto smallest = std::find_if(data.sizes().begin(), data.sizes().end(), large);
    if (smallest == data.sizes().end()) continue;
    const Clock clock{R_xi, *smallest};
    if (determined(data, {joint.cumulants, {clock}}, {options.degrees.front(), omega})) joint.clocks.push_back(clock);
  }
  if (joint.clocks.empty()) throw std::domain_error("no clock determines the terms of a cumulant");
  CriticalRow common{"", "", cumulants, statistics::unknown, 0, 0, omega, options.degrees.front(), {}};
  common.xi_min = xi_min;
  return rows_of(data, joint, common, true, options);
}

}  // namespace psflip::analysis
