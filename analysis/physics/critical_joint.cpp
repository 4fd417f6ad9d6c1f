#include <stdexcept>

#include "analysis/physics/critical.hpp"
#include "analysis/physics/critical_fit.hpp"
#include "analysis/physics/critical_powers.hpp"

namespace psflip::physics {
namespace {

using statistics::Fit;

std::vector<std::string> cumulant_names(const std::string& cumulants) {
  return cumulants == "U4+U22" ? std::vector<std::string>{"U4", "U22"} : std::vector<std::string>{cumulants};
}

std::vector<Sheet> cumulant_sheets(const ScalingData& data, const std::string& cumulants, double clock, int L_min) {
  std::vector<Sheet> sheets;
  for (const std::string& name : cumulant_names(cumulants)) sheets.push_back(data.sheet(name, clock, L_min));
  return sheets;
}

/// Cumulants, then what the powers of L are fitted to: one function of all their points, so that errors of beta_c reach
/// the exponents.
Stack joint_stack(const ScalingData& data, const std::string& cumulants, double clock, int L_min) {
  std::vector<Sheet> sheets = cumulant_sheets(data, cumulants, clock, L_min);
  for (const Sheet& sheet : SizePowers::sheets(data, clock, L_min)) sheets.push_back(sheet);
  return Stack(sheets);
}

/// The rows of beta_c, nu and the levels of the cumulants, without errors.
std::vector<CriticalRow> cumulant_rows(const Fit& fit, const CumulantFit& form, const std::vector<std::string>& names,
                                       CriticalRow common) {
  common.method = "joint";
  common.chi2 = fit.chi2;
  common.dof = fit.dof;
  std::vector<CriticalRow> rows;
  const auto add = [&](const std::string& quantity, double value) {
    rows.push_back(common);
    rows.back().quantity = quantity;
    rows.back().estimate.value = value;
  };
  add("beta_c", fit.parameters[0]);
  add("nu", 1 / fit.parameters[1]);
  for (std::size_t s = 0; s < names.size(); ++s) add(names[s], fit.parameters[form.level(s)]);
  return rows;
}

void require_sense(const Fit& fit, const Sheet& sheet) {
  const double beta_c = fit.parameters[0];
  if (beta_c < sheet.beta.minCoeff() || beta_c > sheet.beta.maxCoeff() || fit.parameters[1] <= 0)
    throw std::domain_error("beta_c lies outside of the temperatures, or nu is negative");
}

}  // namespace

std::vector<CriticalRow> joint_fit(const ScalingData& data, const std::string& cumulants, double clock, int L_min,
                                   double omega, const CriticalOptions& options) {
  const std::vector<std::string> names = cumulant_names(cumulants);
  const CumulantFit fit(cumulant_sheets(data, cumulants, clock, L_min), {options.degree, omega});
  const Stack stack = joint_stack(data, cumulants, clock, L_min);
  const Sheet& first = stack.sheets().front();
  const auto points = fit.points();
  const Fit best = fit(stack.y().head(points), options.beta, options.nu);
  require_sense(best, first);
  const CriticalRow common{"", "", cumulants, clock, first.L.minCoeff(), first.L.maxCoeff(), omega, {}};
  const SizePowers powers(SizePowers::sheets(data, clock, L_min), common, options.degree, best.parameters[0]);
  return with_errors(stack, [&](const Eigen::VectorXd& y) {
    const Fit now = fit(y.head(points), best.parameters);
    std::vector<CriticalRow> rows = cumulant_rows(now, fit, names, common);
    for (const CriticalRow& row :
         powers.rows({stack.part(y, names.size()), stack.part(y, names.size() + 1)}, now.parameters[0]))
      rows.push_back(row);
    return rows;
  });
}

}  // namespace psflip::physics
