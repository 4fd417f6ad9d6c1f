#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "analysis/critical/critical.hpp"
#include "analysis/critical/cumulant_fit.hpp"
#include "analysis/crossing/crossing_errors.hpp"

namespace psflip::analysis {
namespace {

using Pair = std::pair<Eigen::Index, Eigen::Index>;  ///< positions of two sizes

constexpr double least_ratio = 1.5;  // closer sizes have curves of nearly one slope

std::vector<Pair> pairs_of(const Eigen::VectorXd& L) {
  std::vector<Pair> pairs;
  for (Eigen::Index i = 0; i < L.size(); ++i) {
    const auto next = std::find_if(L.begin() + i, L.end(), [&](double l) { return l >= least_ratio * L[i]; });
    if (next != L.end()) pairs.emplace_back(i, next - L.begin());
  }
  return pairs;
}

/// beta and U where two polynomials in beta - origin meet, by Newton's method from the origin: the curves are nearly
/// straight. Throws std::domain_error without a root.
std::pair<double, double> meeting(const Eigen::VectorXd& one, const Eigen::VectorXd& two, double origin) {
  const auto value = [](const Eigen::VectorXd& c, double x) {
    double sum = 0;
    for (Eigen::Index k = c.size() - 1; k >= 0; --k) sum = sum * x + c[k];
    return sum;
  };
  const Eigen::VectorXd difference = two - one;
  Eigen::VectorXd slope(difference.size() - 1);
  for (Eigen::Index k = 1; k < difference.size(); ++k) slope[k - 1] = static_cast<double>(k) * difference[k];
  double x = 0, step = 1;
  for (int i = 0; i < 50 && std::abs(step) > 1e-13; ++i) {
    step = value(difference, x) / value(slope, x);
    x -= step;
  }
  if (!(std::abs(step) < 1e-9)) throw std::domain_error("the curves do not cross");
  return {origin + x, 0.5 * (value(one, x) + value(two, x))};
}

/// beta of all crossings, then U of all.
Eigen::VectorXd crossings_of(const AtBeta& curves, const std::vector<Pair>& pairs, const Eigen::VectorXd& y,
                             double origin) {
  return stacked(pairs, [&](const Pair& pair) {
    return meeting(curves.polynomial(y, pair.first, origin), curves.polynomial(y, pair.second, origin), origin);
  });
}

/// beta_c = limit of beta*(L1) = beta_c + A f L1^-(omega + 1/nu).
statistics::Fit extrapolated(const Eigen::VectorXd& L1, const Eigen::VectorXd& L2, const Eigen::VectorXd& betas,
                             const Eigen::MatrixXd& covariance, const Exponents& exponents) {
  Eigen::MatrixXd design(L1.size(), 2);
  design.col(0).setOnes();
  for (Eigen::Index i = 0; i < L1.size(); ++i) design(i, 1) = crossing_shift(L1[i], L2[i], exponents);
  return statistics::fit_linear(design, betas, covariance);
}

}  // namespace

std::vector<CriticalRow> cumulant_crossings(const ScalingData& data, const std::string& cumulant, double R_xi,
                                            const CriticalOptions& options) {
  const JoinedDataSets joined({data.data_set(cumulant, R_xi)});
  const AtBeta curves(joined.data_sets().front(), options.degrees.front());
  const std::vector<Pair> pairs = pairs_of(curves.L());
  if (pairs.empty()) throw std::domain_error("too few sizes");
  const auto count = std::ssize(pairs);
  const Variation crossings =
      vary(joined, [&](const Eigen::VectorXd& y) { return crossings_of(curves, pairs, y, options.beta); });
  const Exponents exponents = {options.nu, options.omegas.front()};
  Eigen::VectorXd L1(count), L2(count);
  std::vector<CriticalRow> rows;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Pair& pair = pairs[static_cast<std::size_t>(i)];
    L1[i] = curves.L()[pair.first];
    L2[i] = curves.L()[pair.second];
    for (const Eigen::Index which : {i, i + count})
      rows.push_back({which == i ? "beta_c" : cumulant, "crossing", cumulant, R_xi, L1[i], L2[i], statistics::unknown,
                      options.degrees.front(), crossings.estimate(which)});
  }
  if (count < 3) return rows;
  const Eigen::MatrixXd covariance = crossings.covariance().topLeftCorner(count, count);
  const statistics::Fit fit = extrapolated(L1, L2, crossings.value.head(count), covariance, exponents);
  rows.push_back({"beta_c", "crossing", cumulant, R_xi, L1[0], std::numeric_limits<double>::infinity(), exponents.omega,
                  options.degrees.front(), fit.parameter(0), fit.chi2, fit.dof});
  return rows;
}

}  // namespace psflip::analysis
