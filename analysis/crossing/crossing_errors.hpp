#pragma once
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/crossing/crossing.hpp"
#include "engine/io/error.hpp"

/// Steps that crossings of points at fixed temperatures and of curves of tempering share.
namespace psflip::analysis {

/// The data of each curve. From such a table to crossings everything is one function, which the jackknife repeats.
using Table = std::vector<Eigen::VectorXd>;
using Pipeline = std::function<Eigen::VectorXd(const Table&)>;

/// Data that are independent of all others, and the entries of the table that come from them.
struct Source {
  const statistics::Blocks* blocks;
  const statistics::Function* function;
  std::size_t curve;
  Eigen::Index first;  ///< of the entries of the curve
};

/// Bias-corrected results with their standard errors.
struct Propagated {
  Eigen::VectorXd value, error;
  /// Of each result, the fewest blocks of a source that contributes to its error; 0 where none does. One less is a
  /// lower bound of the degrees of freedom of the error (Welch and Satterthwaite).
  Eigen::Matrix<Eigen::Index, Eigen::Dynamic, 1> blocks;
};

/// One data set after another is deleted block by block through the whole pipeline; variances are added.
Propagated propagate(const std::vector<Source>& sources, const Table& table, const Pipeline& pipeline);

/// How far the crossing of L1 and L2 = s L1 lies from its limit, over an amplitude that all pairs share: f L1^-(omega +
/// 1/nu) with f = (1 - s^-omega) / (s^(1/nu) - 1).
double crossing_shift(double L1, double L2, const Exponents& exponents);

/// Two curves do not cross between T_min and T_max, where both are known: a result, and no bad input.
struct NoCrossing : std::runtime_error {
  NoCrossing(const std::string& why, double low, double high) : std::runtime_error(why), T_min(low), T_max(high) {}
  double T_min, T_max;
};

/// Two curves are not known at common temperatures.
struct NothingInCommon : UserError {
  using UserError::UserError;
};

/// Pairs of sizes whose curves cross, and the entries of those whose curves do not.
template <class Pair>
struct Plans {
  std::vector<Pair> pairs;
  std::vector<Crossing> none;
};

/// The entry of two sizes whose curves do not cross.
Crossing without_crossing(int L1, int L2, const NoCrossing& none);

/// See size_pairs.
template <class Curve>
std::vector<SizePair> pairs_of_curves(const std::vector<Curve>& curves, const CrossingOptions& options) {
  std::vector<int> sizes;
  for (const Curve& curve : curves) sizes.push_back(curve.L);
  return size_pairs(sizes, options.ratio);
}

/// The result of `plan` for every pair of `curves` that crosses. A pair that throws NothingInCommon is left out; where
/// all do, the first of them is thrown.
template <class Curves, class Plan>
auto plans_of(const Curves& curves, const std::vector<SizePair>& pairs, const Plan& plan) {
  Plans<decltype(plan(pairs.front()))> plans;
  std::exception_ptr refusal;
  for (const SizePair& pair : pairs) {
    try {
      plans.pairs.push_back(plan(pair));
    } catch (const NoCrossing& none) {
      plans.none.push_back(without_crossing(curves[pair.first].L, curves[pair.second].L, none));
    } catch (const NothingInCommon&) {
      if (!refusal) refusal = std::current_exception();
    }
  }
  if (plans.pairs.empty() && plans.none.empty()) std::rethrow_exception(refusal);
  return plans;
}

/// The temperatures of all crossings, then their values, from `crossing(pair)`, which gives both of one pair.
template <class Pair, class Solve>
Eigen::VectorXd stacked(const std::vector<Pair>& pairs, const Solve& crossing) {
  Eigen::VectorXd all(2 * std::ssize(pairs));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [temperature, value] = crossing(pairs[i]);
    all[static_cast<Eigen::Index>(i)] = temperature;
    all[static_cast<Eigen::Index>(i) + std::ssize(pairs)] = value;
  }
  return all;
}

/// Crossings with their errors, and their limit where there are two or more. `solve_all` gives the temperatures of all
/// crossings, then their values. `describe` makes the entry of pair i, which gets its number of blocks here. `none`,
/// the entries of pairs that do not cross, stand among them in the order of sizes.
std::vector<Crossing> crossings_with_limit(
    const std::vector<Source>& sources, const Table& table, const Pipeline& solve_all, const CrossingOptions& options,
    const std::vector<Crossing>& none,
    const std::function<Crossing(std::size_t, statistics::Estimate temperature, statistics::Estimate value)>& describe);

/// The entry with L2 = infinity: the limit of the crossings `found`, two at least. Where two of them are equilibrated,
/// only those enter. `solve_all` gives the temperatures of all crossings, then their values.
Crossing limit_of(const std::vector<Crossing>& found, const std::vector<Source>& sources, const Table& table,
                  const Pipeline& solve_all, const CrossingOptions& options);

/// How many of the points lie below the crossing: the split that best separates positive from negative differences of
/// two curves, in units of their errors; 0 when they never change sign.
Eigen::Index split(const Eigen::VectorXd& significance);

/// Two equilibration tests together: false if one of them fails, nothing if one is unknown.
std::optional<bool> both(const std::optional<bool>& a, const std::optional<bool>& b);

}  // namespace psflip::analysis
