#include "analysis/crossing/crossing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <list>

#include "analysis/crossing/crossing_errors.hpp"
#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/models/equilibration.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/models/require.hpp"
#include "analysis/statistics/fit.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {
namespace {

using statistics::Fit;

/// The decisions that are made once, on the full data: which points of which curves enter, with which errors.
struct PairOfCurves {
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

Solution solve(const PairOfCurves& pair, const Table& table) {
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

PairOfCurves restricted(const PairOfCurves& pair, Eigen::Index first, Eigen::Index last) {
  PairOfCurves part = pair;
  part.one.assign(pair.one.begin() + first, pair.one.begin() + last);
  part.two.assign(pair.two.begin() + first, pair.two.begin() + last);
  part.temperatures = pair.temperatures.segment(first, last - first);
  part.one_errors = pair.one_errors.segment(first, last - first);
  part.two_errors = pair.two_errors.segment(first, last - first);
  return part;
}

/// All temperatures of the range that both curves have.
PairOfCurves common_temperatures(const std::vector<Curve>& curves, const SizePair& sizes, const Table& errors,
                                 const CrossingOptions& options) {
  PairOfCurves pair{sizes.first, sizes.second, {}, {}, {}, {}, {}, 0};
  std::vector<double> temperatures;
  const auto& one = curves[sizes.first].points;
  const auto& two = curves[sizes.second].points;
  for (std::size_t a = 0; a < one.size(); ++a)
    for (std::size_t b = 0; b < two.size(); ++b)
      if (one[a].temperature == two[b].temperature && options.from <= one[a].temperature &&
          one[a].temperature <= options.to) {
        temperatures.push_back(one[a].temperature);
        pair.one.push_back(static_cast<Eigen::Index>(a));
        pair.two.push_back(static_cast<Eigen::Index>(b));
      }
  if (temperatures.size() < degree + 1)
    throw UserError(
        fmt::format("The sizes L = {} and {} share {} temperatures at which the observable is known, but a crossing "
                    "needs {}; simulate both at more common temperatures.",
                    curves[sizes.first].L, curves[sizes.second].L, temperatures.size(), degree + 1));
  pair.temperatures = Eigen::Map<Eigen::VectorXd>(temperatures.data(), std::ssize(temperatures));
  pair.one_errors = errors[sizes.first](pair.one);
  pair.two_errors = errors[sizes.second](pair.two);
  return pair;
}

NoCrossing no_crossing(const std::vector<Curve>& curves, const PairOfCurves& all) {
  const double low = all.temperatures[0], high = all.temperatures[all.temperatures.size() - 1];
  const std::string why = fmt::format(
      "The curves of L = {} and {} do not cross between T = {} and {}; add temperatures on both sides of the crossing.",
      curves[all.first].L, curves[all.second].L, low, high);
  return {why, low, high};
}

PairOfCurves plan(const std::vector<Curve>& curves, const SizePair& sizes, const Table& table, const Table& errors,
                  const CrossingOptions& options) {
  PairOfCurves all = common_temperatures(curves, sizes, errors, options);
  const Eigen::VectorXd difference = table[all.second](all.two) - table[all.first](all.one);
  const Eigen::VectorXd sigma = (all.one_errors.array().square() + all.two_errors.array().square()).sqrt();
  const Eigen::Index below = split(difference.cwiseQuotient(sigma));
  if (below == 0) throw no_crossing(curves, all);
  all.centre = 0.5 * (all.temperatures[below - 1] + all.temperatures[below]);
  const Eigen::Index count = all.temperatures.size();
  for (Eigen::Index side = std::max(below, count - below);; --side) {
    PairOfCurves window = restricted(all, std::max<Eigen::Index>(0, below - side), std::min(count, below + side));
    if (side <= 2 || solve(window, table).q > 0.05) return window;
  }
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

/// All points of a curve that share samples as one data set: the means of all of them side by side.
struct JointPoints {
  statistics::Blocks blocks;
  statistics::Function function;

  explicit JointPoints(const Curve& curve) {
    const Eigen::Index width = curve.points[0].blocks.sums.cols(), count = std::ssize(curve.points);
    blocks = {Eigen::MatrixXd(curve.points[0].blocks.sums.rows(), count * width), curve.points[0].blocks.weights};
    for (Eigen::Index p = 0; p < count; ++p)
      blocks.sums.middleCols(p * width, width) = curve.points[static_cast<std::size_t>(p)].blocks.sums;
    function = [&curve, width, count](const Eigen::VectorXd& means) {
      Eigen::VectorXd row(count);
      for (Eigen::Index p = 0; p < count; ++p)
        row[p] = curve.points[static_cast<std::size_t>(p)].observable(means.segment(p * width, width))[0];
      return row;
    };
  }
};

/// `joint` holds the data sets of curves that share samples.
std::vector<Source> sources_of(const std::vector<Curve>& curves, std::list<JointPoints>& joint) {
  std::vector<Source> sources;
  for (std::size_t c = 0; c < curves.size(); ++c) {
    if (curves[c].shares_samples) {
      const JointPoints& all = joint.emplace_back(curves[c]);
      sources.push_back({&all.blocks, &all.function, c, 0});
      continue;
    }
    for (std::size_t p = 0; p < curves[c].points.size(); ++p)
      sources.push_back(
          {&curves[c].points[p].blocks, &curves[c].points[p].observable, c, static_cast<Eigen::Index>(p)});
  }
  return sources;
}

/// Whether all points in the window of a pair are equilibrated.
std::optional<bool> verdict(const std::vector<Curve>& curves, const PairOfCurves& pair) {
  std::optional<bool> all = true;
  const auto add = [&](const Curve& curve, const std::vector<Eigen::Index>& points) {
    for (const Eigen::Index p : points) all = both(all, curve.points[static_cast<std::size_t>(p)].equilibrated);
  };
  add(curves[pair.first], pair.one);
  add(curves[pair.second], pair.two);
  return all;
}

Crossing described(const std::vector<Curve>& curves, const PairOfCurves& pair, const Solution& solution,
                   const statistics::Estimate& temperature, const statistics::Estimate& value) {
  return {static_cast<double>(curves[pair.first].L),
          static_cast<double>(curves[pair.second].L),
          temperature,
          value,
          solution.dof > 0 ? solution.chi2 / static_cast<double>(solution.dof) : statistics::unknown,
          pair.temperatures.minCoeff(),
          pair.temperatures.maxCoeff(),
          verdict(curves, pair)};
}

}  // namespace

std::vector<SizePair> size_pairs(const std::vector<int>& sizes, const std::optional<double>& ratio) {
  if (sizes.size() < 2) throw UserError("A crossing needs two sizes at least; give reduced files of more sizes.");
  std::vector<SizePair> pairs;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (std::size_t j = i + 1; j < sizes.size(); ++j)
      if (ratio ? std::abs(static_cast<double>(sizes[j]) / sizes[i] - *ratio) < 1e-3 : j == i + 1)
        pairs.push_back({i, j});
  if (pairs.empty())
    throw UserError(fmt::format("No two of the sizes L = {} have the ratio {} of --ratio; give a ratio that two have.",
                                fmt::join(sizes, ", "), *ratio));
  return pairs;
}

std::vector<Crossing> crossings(const std::vector<Curve>& curves, const CrossingOptions& options) {
  const std::vector<SizePair> size_list = pairs_of_curves(curves, options);
  const auto [table, errors] = evaluate(curves);
  const auto plans = plans_of(
      curves, size_list, [&, &t = table, &e = errors](const SizePair& p) { return plan(curves, p, t, e, options); });
  const std::vector<PairOfCurves>& pairs = plans.pairs;
  std::list<JointPoints> joint;
  const std::vector<Source> sources = sources_of(curves, joint);
  const Pipeline all = [&](const Table& t) {
    return stacked(pairs, [&](const PairOfCurves& pair) {
      const Solution solution = solve(pair, t);
      return std::pair{solution.temperature, solution.value};
    });
  };
  return crossings_with_limit(sources, table, all, options, plans.none,
                              [&, &t = table](std::size_t i, const auto& temperature, const auto& value) {
                                return described(curves, pairs[i], solve(pairs[i], t), temperature, value);
                              });
}

std::vector<Curve> curves_of(const std::vector<Ensemble>& ensembles, const std::string& observable) {
  std::vector<Curve> curves;
  const Ensemble* first = nullptr;  // of the size
  for (const Ensemble& ensemble : ensembles) {
    if (first == nullptr || first->L() != ensemble.L()) first = &ensemble;
    if (ensemble.preset().has_disorder()) require_same_blocks(*first, ensemble);
    const statistics::Function one = observables(ensemble, {observable}).evaluate;
    CurvePoint point{ensemble.temperature, equilibrium_blocks(ensemble), one, verdicts(ensemble)(observable)};
    const double error = statistics::Jackknife(point.blocks, one).estimate(0).error;
    if (!(error > 0)) continue;  // not resolved at this temperature: no weight in a fit
    if (curves.empty() || curves.back().L != ensemble.L())
      curves.push_back({ensemble.L(), {}, ensemble.preset().has_disorder()});
    curves.back().points.push_back(std::move(point));
  }
  return curves;
}

}  // namespace psflip::analysis
