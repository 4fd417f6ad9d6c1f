#include "analysis/physics/crossing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/physics/observables.hpp"
#include "analysis/statistics/fit.hpp"
#include "engine/io/error.hpp"

namespace psflip::physics {
namespace {

using statistics::Fit;

/// Values of all curves: [curve][point]. The pipeline from here on is one function, which the jackknife repeats.
using Table = std::vector<Eigen::VectorXd>;

/// The decisions that are made once, on the full data: which points of which curves enter, with which errors.
struct Pair {
  std::size_t first, second;           ///< curves
  std::vector<Eigen::Index> one, two;  ///< positions of the common temperatures in the window, in either curve
  Eigen::VectorXd temperatures;        ///< of the window
  Eigen::VectorXd one_errors, two_errors;
  double centre;  ///< middle of the interval in which the difference changes sign
};

constexpr int degree = 2;

struct Solution {
  double temperature, value, chi2;
  Eigen::Index dof;
  double q;
};

/// The root of c0 + c1 x + c2 x^2 nearest to 0; NaN without one.
double nearest_root(const Eigen::Vector3d& c) {
  const double discriminant = c[1] * c[1] - 4 * c[0] * c[2];
  // The form with c0 above is stable for small c2, and its sign picks the root of smaller modulus.
  return -2 * c[0] / (c[1] + std::copysign(std::sqrt(discriminant), c[1]));
}

Solution solve(const Pair& pair, const Table& table) {
  const Eigen::VectorXd y1 = table[pair.first](pair.one), y2 = table[pair.second](pair.two);
  const Fit one = statistics::fit_polynomial(pair.temperatures, y1, pair.one_errors, degree, pair.centre);
  const Fit two = statistics::fit_polynomial(pair.temperatures, y2, pair.two_errors, degree, pair.centre);
  const double x = nearest_root(two.parameters - one.parameters);
  Fit both;
  both.chi2 = one.chi2 + two.chi2;
  both.dof = one.dof + two.dof;
  const Eigen::Vector3d monomials(1, x, x * x);
  return {pair.centre + x, monomials.dot(0.5 * (one.parameters + two.parameters)), both.chi2, both.dof, both.q()};
}

Pair restricted(const Pair& pair, Eigen::Index first, Eigen::Index last) {
  Pair part = pair;
  part.one.assign(pair.one.begin() + first, pair.one.begin() + last);
  part.two.assign(pair.two.begin() + first, pair.two.begin() + last);
  part.temperatures = pair.temperatures.segment(first, last - first);
  part.one_errors = pair.one_errors.segment(first, last - first);
  part.two_errors = pair.two_errors.segment(first, last - first);
  return part;
}

/// Points below the crossing: the split that best separates positive from negative differences, in units of their
/// errors.
Eigen::Index split(const Eigen::VectorXd& significance) {
  Eigen::Index best = 0;
  double best_score = 0;
  for (Eigen::Index k = 1; k < significance.size(); ++k) {
    const double below = significance.head(k).sum(), above = significance.tail(significance.size() - k).sum();
    if (below * above < 0 && std::abs(below - above) > best_score) {
      best = k;
      best_score = std::abs(below - above);
    }
  }
  return best;
}

/// All temperatures that both curves have.
Pair common_temperatures(const std::vector<Curve>& curves, std::size_t i, const Table& errors) {
  Pair pair{i, i + 1, {}, {}, {}, {}, {}, 0};
  std::vector<double> temperatures;
  const auto& one = curves[i].points;
  const auto& two = curves[i + 1].points;
  for (std::size_t a = 0; a < one.size(); ++a)
    for (std::size_t b = 0; b < two.size(); ++b)
      if (one[a].temperature == two[b].temperature) {
        temperatures.push_back(one[a].temperature);
        pair.one.push_back(static_cast<Eigen::Index>(a));
        pair.two.push_back(static_cast<Eigen::Index>(b));
      }
  if (temperatures.size() < degree + 1)
    throw UserError(
        fmt::format("The sizes L = {} and {} share {} temperatures at which the observable is known, but a crossing "
                    "needs {}; simulate both at more common temperatures.",
                    curves[i].L, curves[i + 1].L, temperatures.size(), degree + 1));
  pair.temperatures = Eigen::Map<Eigen::VectorXd>(temperatures.data(), std::ssize(temperatures));
  pair.one_errors = errors[i](pair.one);
  pair.two_errors = errors[i + 1](pair.two);
  return pair;
}

Pair plan(const std::vector<Curve>& curves, std::size_t i, const Table& table, const Table& errors) {
  Pair all = common_temperatures(curves, i, errors);
  const Eigen::VectorXd difference = table[i + 1](all.two) - table[i](all.one);
  const Eigen::VectorXd sigma = (all.one_errors.array().square() + all.two_errors.array().square()).sqrt();
  const Eigen::Index below = split(difference.cwiseQuotient(sigma));
  if (below == 0)
    throw UserError(
        fmt::format("The curves of L = {} and {} do not cross between T = {} and {}; add temperatures on both sides "
                    "of the crossing.",
                    curves[i].L, curves[i + 1].L, all.temperatures[0], all.temperatures[all.temperatures.size() - 1]));
  all.centre = 0.5 * (all.temperatures[below - 1] + all.temperatures[below]);
  const Eigen::Index count = all.temperatures.size();
  for (Eigen::Index side = std::max(below, count - below);; --side) {
    const Pair window = restricted(all, std::max<Eigen::Index>(0, below - side), std::min(count, below + side));
    if (side <= 2 || solve(window, table).q > 0.05) return window;
  }
}

/// value(L) = limit + amplitude L^-exponent, weighted by 1 / errors^2.
Fit extrapolate(const std::vector<Pair>& pairs, const std::vector<Curve>& curves, const Eigen::VectorXd& values,
                const Eigen::VectorXd& errors, double exponent) {
  Eigen::VectorXd x(values.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = std::pow(curves[pairs[i].first].L, -exponent);
  return statistics::fit_polynomial(x, values, errors, 1);
}

/// The pipeline: temperatures of all crossings, then their values.
Eigen::VectorXd solve_all(const std::vector<Pair>& pairs, const Table& table) {
  Eigen::VectorXd result(2 * std::ssize(pairs));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Solution solution = solve(pairs[i], table);
    result[static_cast<Eigen::Index>(i)] = solution.temperature;
    result[static_cast<Eigen::Index>(i) + std::ssize(pairs)] = solution.value;
  }
  return result;
}

/// Bias-corrected results and their variances, every data set in turn deleted block by block, as all are independent.
struct Propagated {
  Eigen::VectorXd value, error;
};

Propagated propagate(const std::vector<Curve>& curves, const Table& table,
                     const std::function<Eigen::VectorXd(const Table&)>& pipeline) {
  const Eigen::VectorXd plain = pipeline(table);
  Propagated result{plain, Eigen::VectorXd::Zero(plain.size())};
  for (std::size_t c = 0; c < curves.size(); ++c)
    for (std::size_t p = 0; p < curves[c].points.size(); ++p) {
      const CurvePoint& point = curves[c].points[p];
      Table changed = table;
      const statistics::Jackknife jackknife(point.blocks, [&](const Eigen::VectorXd& means) {
        changed[c][static_cast<Eigen::Index>(p)] = point.observable(means)[0];
        return pipeline(changed);
      });
      result.value += jackknife.value() - plain;
      result.error += jackknife.error().cwiseAbs2();
    }
  result.error = result.error.cwiseSqrt();
  return result;
}

/// Plain values and errors of all points.
std::pair<Table, Table> evaluate(const std::vector<Curve>& curves) {
  Table values, errors;
  for (const Curve& curve : curves) {
    Eigen::VectorXd y(std::ssize(curve.points)), sigma(std::ssize(curve.points));
    for (Eigen::Index p = 0; p < y.size(); ++p) {
      const CurvePoint& point = curve.points[static_cast<std::size_t>(p)];
      const statistics::Jackknife jackknife(point.blocks, point.observable);
      y[p] = jackknife.plain()[0];
      sigma[p] = jackknife.error()[0];
    }
    values.push_back(y);
    errors.push_back(sigma);
  }
  return {values, errors};
}

/// The entry with L2 = infinity: what the crossings `found` tend to.
Crossing limit_of(const std::vector<Crossing>& found, const std::vector<Curve>& curves, const std::vector<Pair>& pairs,
                  const Table& table, const Eigen::VectorXd& errors, const CrossingOptions& options) {
  const Eigen::Index count = std::ssize(pairs);
  const auto fits = [&](const Table& t) {
    const Eigen::VectorXd all = solve_all(pairs, t);
    return std::pair(extrapolate(pairs, curves, all.head(count), errors.head(count), options.omega + 1 / options.nu),
                     extrapolate(pairs, curves, all.tail(count), errors.tail(count), options.omega));
  };
  const Propagated limit = propagate(curves, table, [&](const Table& t) {
    const auto [temperature, value] = fits(t);
    return Eigen::VectorXd(Eigen::Vector2d(temperature.parameters[0], value.parameters[0]));
  });
  Crossing last = found.front();
  last.L2 = std::numeric_limits<double>::infinity();
  last.temperature = {limit.value[0], limit.error[0]};
  last.value = {limit.value[1], limit.error[1]};
  last.chi2_dof = fits(table).first.chi2_dof();
  for (const Crossing& crossing : found) {
    last.T_min = std::min(last.T_min, crossing.T_min);
    last.T_max = std::max(last.T_max, crossing.T_max);
  }
  return last;
}

}  // namespace

std::vector<Crossing> crossings(const std::vector<Curve>& curves, const CrossingOptions& options) {
  if (curves.size() < 2) throw UserError("A crossing needs two sizes at least; give reduced files of more sizes.");
  const auto [table, errors] = evaluate(curves);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i + 1 < curves.size(); ++i) pairs.push_back(plan(curves, i, table, errors));
  const Propagated single = propagate(curves, table, [&](const Table& t) { return solve_all(pairs, t); });
  std::vector<Crossing> result;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto temperature = static_cast<Eigen::Index>(i), value = temperature + std::ssize(pairs);
    const Solution solution = solve(pairs[i], table);
    result.push_back({static_cast<double>(curves[i].L),
                      static_cast<double>(curves[i + 1].L),
                      {single.value[temperature], single.error[temperature]},
                      {single.value[value], single.error[value]},
                      solution.dof > 0 ? solution.chi2 / static_cast<double>(solution.dof) : statistics::unknown,
                      pairs[i].temperatures.minCoeff(),
                      pairs[i].temperatures.maxCoeff()});
  }
  if (pairs.size() >= 2) result.push_back(limit_of(result, curves, pairs, table, single.error, options));
  return result;
}

std::vector<Curve> curves_of(const std::vector<Ensemble>& ensembles, const std::string& observable) {
  std::vector<Curve> curves;
  for (const Ensemble& ensemble : ensembles) {
    const Observables all = ising2d_observables(ensemble);
    const auto position = std::find(all.names.begin(), all.names.end(), observable) - all.names.begin();
    const auto one = [evaluate = all.evaluate, position](const Eigen::VectorXd& means) {
      return Eigen::VectorXd::Constant(1, evaluate(means)[position]);
    };
    CurvePoint point{ensemble.temperature, equilibrium_blocks(ensemble), one};
    const double error = statistics::Jackknife(point.blocks, one).estimate(0).error;
    if (!(error > 0)) continue;  // not resolved at this temperature: no weight in a fit
    if (curves.empty() || curves.back().L != ensemble.L()) curves.push_back({ensemble.L(), {}});
    curves.back().points.push_back(std::move(point));
  }
  return curves;
}

}  // namespace psflip::physics
