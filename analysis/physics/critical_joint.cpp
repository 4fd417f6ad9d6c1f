#include <cmath>
#include <stdexcept>

#include "analysis/physics/critical.hpp"
#include "analysis/physics/critical_fit.hpp"

namespace psflip::physics {
namespace {

using statistics::Fit;

/// One exponent from a power of L at beta_c.
struct Power {
  std::string name, quantity;  ///< of the exponent; of what is fitted
  double offset, sign;         ///< exponent = offset + sign * power
};

const std::vector<Power>& powers_of_size() {
  static const std::vector<Power> all = {{"z", "log_t", 0, 1}, {"eta", "log_chi", 2, -1}};
  return all;
}

std::vector<std::string> cumulant_names(const std::string& cumulants) {
  return cumulants == "U4+U22" ? std::vector<std::string>{"U4", "U22"} : std::vector<std::string>{cumulants};
}

/// Cumulants and powers as one function of all their points, so that errors of beta_c reach the exponents.
class Joint {
 public:
  Joint(const ScalingData& data, const std::string& cumulants, double clock, int L_min, double omega,
        const CriticalOptions& options)
      : names_(cumulant_names(cumulants)),
        common_{"", "", cumulants, clock, 0, 0, omega, {}},
        stack_(sheets(data, clock, L_min)),
        fit_(std::vector<Sheet>(stack_.sheets().begin(), stack_.sheets().end() - 2), {options.degree, omega}) {
    const Eigen::VectorXd y = stack_.y();
    best_ = fit_(cumulant_part(y), options.beta, options.nu);
    const Eigen::VectorXd& betas = stack_.sheets().front().beta;
    if (best_.parameters[0] < betas.minCoeff() || best_.parameters[0] > betas.maxCoeff())
      throw std::domain_error("beta_c lies outside of the temperatures");
    for (std::size_t k = 0; k < 2; ++k) {
      const Sheet& sheet = stack_.sheets()[names_.size() + k];
      at_beta_.emplace_back(sheet, options.degree);
      covariances_.push_back(vary(Stack({sheet}), [&](const Eigen::VectorXd& part) {
                               return at_beta_[k](part, best_.parameters[0]);
                             }).covariance());
    }
  }

  const Stack& stack() const { return stack_; }

  /// All rows, without errors.
  std::vector<CriticalRow> rows(const Eigen::VectorXd& y) const {
    const Fit fit = fit_(cumulant_part(y), best_.parameters);
    std::vector<CriticalRow> rows;
    const auto add = [&](const std::string& quantity, double value) {
      rows.push_back(row(quantity, "joint", stack_.sheets().front().L, value));
      rows.back().chi2 = fit.chi2;
      rows.back().dof = fit.dof;
    };
    add("beta_c", fit.parameters[0]);
    add("nu", 1 / fit.parameters[1]);
    for (std::size_t s = 0; s < names_.size(); ++s) add(names_[s], fit.parameters[fit_.level(s)]);
    for (std::size_t k = 0; k < 2; ++k) add_power(rows, k, y, fit.parameters[0]);
    return rows;
  }

 private:
  std::vector<Sheet> sheets(const ScalingData& data, double clock, int L_min) const {
    std::vector<Sheet> all;
    for (const std::string& name : names_) all.push_back(data.sheet(name, clock, L_min));
    for (const Power& power : powers_of_size()) all.push_back(data.sheet(power.quantity, clock, L_min));
    return all;
  }

  Eigen::VectorXd cumulant_part(const Eigen::VectorXd& y) const {
    Eigen::Index points = 0;
    for (std::size_t s = 0; s < names_.size(); ++s) points += stack_.sheets()[s].y.size();
    return y.head(points);
  }

  CriticalRow row(const std::string& quantity, const std::string& method, const Eigen::VectorXd& L,
                  double value) const {
    CriticalRow result = common_;
    result.quantity = quantity;
    result.method = method;
    result.L_min = L[0];
    result.L_max = L[L.size() - 1];
    result.estimate.value = value;
    return result;
  }

  void add_power(std::vector<CriticalRow>& rows, std::size_t k, const Eigen::VectorXd& y, double beta_c) const {
    const Power& power = powers_of_size()[k];
    const Eigen::VectorXd values = at_beta_[k](stack_.part(y, names_.size() + k), beta_c), &L = at_beta_[k].L();
    if (L.size() >= (common_.omega == common_.omega ? 3 : 2)) {
      const Fit fit = fit_size_power(L, values, covariances_[k], common_.omega);
      rows.push_back(row(power.name, "power", L, power.offset + power.sign * fit.parameters[1]));
      rows.back().chi2 = fit.chi2;
      rows.back().dof = fit.dof;
    }
    for (Eigen::Index i = 0; i + 1 < L.size(); ++i) {
      const double quotient = (values[i + 1] - values[i]) / std::log(L[i + 1] / L[i]);
      rows.push_back(row(power.name, "quotient", L.segment(i, 2), power.offset + power.sign * quotient));
    }
  }

  std::vector<std::string> names_;
  CriticalRow common_;
  Stack stack_;  ///< cumulants, then what the powers are fitted to
  CumulantFit fit_;
  Fit best_;
  std::vector<AtBeta> at_beta_;
  std::vector<Eigen::MatrixXd> covariances_;  ///< of the values of all sizes at beta_c
};

}  // namespace

std::vector<CriticalRow> joint_fit(const ScalingData& data, const std::string& cumulants, double clock, int L_min,
                                   double omega, const CriticalOptions& options) {
  const Joint joint(data, cumulants, clock, L_min, omega, options);
  std::vector<CriticalRow> rows = joint.rows(joint.stack().y());
  const Variation variation = vary(joint.stack(), [&](const Eigen::VectorXd& y) {
    const std::vector<CriticalRow> changed = joint.rows(y);
    Eigen::VectorXd values(std::ssize(changed));
    for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = changed[static_cast<std::size_t>(i)].estimate.value;
    return values;
  });
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].estimate = variation.estimate(static_cast<Eigen::Index>(i));
  return rows;
}

}  // namespace psflip::physics
