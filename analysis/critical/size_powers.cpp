#include "analysis/critical/size_powers.hpp"

#include <cmath>

namespace psflip::analysis {
namespace {

struct Power {
  std::string name, quantity;  ///< of the exponent; of the fitted quantity
  double offset, sign;         ///< exponent = offset + sign * power
};

const std::vector<Power>& powers_of_size() {
  static const std::vector<Power> all = {{"z", "log_t", 0, 1}, {"eta", "log_chi", 2, -1}};
  return all;
}

}  // namespace

std::vector<DataSet> SizePowers::data_sets(const ScalingData& data, double R_xi, int L_min) {
  std::vector<DataSet> all;
  for (const Power& power : powers_of_size()) all.push_back(data.data_set(power.quantity, R_xi, L_min));
  return all;
}

SizePowers::SizePowers(const std::vector<DataSet>& data_sets, const CriticalRow& common, double beta)
    : common_(common) {
  for (const DataSet& data_set : data_sets) {
    at_beta_.emplace_back(data_set, common.degree);
    const AtBeta& values = at_beta_.back();
    covariances_.push_back(
        vary(JoinedDataSets({data_set}), [&](const Eigen::VectorXd& y) { return values(y, beta); }).covariance());
  }
}

std::vector<CriticalRow> SizePowers::rows(const std::vector<Eigen::VectorXd>& y, double beta) const {
  std::vector<CriticalRow> rows;
  for (std::size_t k = 0; k < at_beta_.size(); ++k) {
    const Power& power = powers_of_size()[k];
    const Eigen::VectorXd values = at_beta_[k](y[k], beta), &L = at_beta_[k].L();
    const auto add = [&](const std::string& method, double L_min, double L_max, double exponent) {
      rows.push_back(common_);
      rows.back().quantity = power.name;
      rows.back().method = method;
      rows.back().L_min = L_min;
      rows.back().L_max = L_max;
      rows.back().estimate.value = power.offset + power.sign * exponent;
    };
    if (L.size() >= (common_.omega == common_.omega ? 3 : 2)) {
      const statistics::Fit fit = fit_size_power(L, values, covariances_[k], common_.omega);
      add("power", L[0], L[L.size() - 1], fit.parameters[1]);
      rows.back().chi2 = fit.chi2;
      rows.back().dof = fit.dof;
    }
    for (Eigen::Index i = 0; i + 1 < L.size(); ++i)
      add("quotient", L[i], L[i + 1], (values[i + 1] - values[i]) / std::log(L[i + 1] / L[i]));
  }
  return rows;
}

std::vector<CriticalRow> with_errors(
    const JoinedDataSets& joined, const std::function<std::vector<CriticalRow>(const Eigen::VectorXd& y)>& function) {
  std::vector<CriticalRow> rows = function(joined.y());
  const Variation variation = vary(joined, [&](const Eigen::VectorXd& y) {
    const std::vector<CriticalRow> changed = function(y);
    Eigen::VectorXd values(std::ssize(changed));
    for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = changed[static_cast<std::size_t>(i)].estimate.value;
    return values;
  });
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].estimate = variation.estimate(static_cast<Eigen::Index>(i));
  return rows;
}

std::vector<CriticalRow> powers_at(const ScalingData& data, double R_xi, int L_min, double omega,
                                   const CriticalOptions& options) {
  const JoinedDataSets joined(SizePowers::data_sets(data, R_xi, L_min));
  const CriticalRow common{"", "", "none", R_xi, 0, 0, omega, options.degrees.front(), {}};
  const SizePowers powers(joined.data_sets(), common, options.beta);
  auto rows = with_errors(joined, [&](const Eigen::VectorXd& y) {
    return powers.rows({joined.part(y, 0), joined.part(y, 1)}, options.beta);
  });
  // Two sizes know nothing of a correction: they are listed once.
  if (omega == omega) std::erase_if(rows, [](const CriticalRow& row) { return row.method == "quotient"; });
  return rows;
}

}  // namespace psflip::analysis
