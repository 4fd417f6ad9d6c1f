#include "analysis/crossing/tempered_crossing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/crossing/crossing_errors.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {
namespace {

/// Two sizes and a temperature near which their curves cross.
struct PlannedPair : SizePair {
  double start;
};

class Curves {
 public:
  explicit Curves(const std::vector<TemperedCurve>& curves) : curves_(curves) {
    for (std::size_t c = 0; c < curves.size(); ++c) {
      sources_.push_back({&curves[c].blocks, &curves[c].function, c, 0});
      table_.push_back(curves[c].function(curves[c].blocks.means()));
    }
  }

  const TemperedCurve& operator[](std::size_t c) const { return curves_[c]; }
  const std::vector<Source>& sources() const { return sources_; }
  const Table& table() const { return table_; }

  Point at(std::size_t c, const Table& table, double T) const {
    return interpolate(curves_[c].temperatures, table[c], T);
  }

  /// Second minus first.
  Point difference(const SizePair& pair, const Table& table, double T) const {
    const Point one = at(pair.first, table, T), two = at(pair.second, table, T);
    return {two.value - one.value, two.slope - one.slope};
  }

  /// All slots of both sizes inside the temperature range that both cover and that is requested.
  std::vector<double> common_knots(const SizePair& pair, const CrossingOptions& options) const {
    const Eigen::VectorXd &one = curves_[pair.first].temperatures, &two = curves_[pair.second].temperatures;
    const double low = std::max({one[0], two[0], options.from});
    const double high = std::min({one[one.size() - 1], two[two.size() - 1], options.to});
    std::set<double> knots;
    for (const Eigen::VectorXd* temperatures : {&one, &two})
      for (const double T : *temperatures)
        if (low <= T && T <= high) knots.insert(T);
    if (low < high) knots.insert({low, high});
    return {knots.begin(), knots.end()};
  }

 private:
  const std::vector<TemperedCurve>& curves_;
  std::vector<Source> sources_;
  Table table_;
};

/// Differences of two curves at knots where they are known, in units of their errors.
struct Differences {
  std::vector<double> knots;
  Eigen::VectorXd values, significance;
};

Differences differences(const Curves& curves, const SizePair& pair, const CrossingOptions& options) {
  std::vector<double> knots = curves.common_knots(pair, options);
  std::erase_if(knots, [&](double T) { return !std::isfinite(curves.difference(pair, curves.table(), T).value); });
  const Pipeline pipeline = [&](const Table& table) {
    Eigen::VectorXd result(std::ssize(knots));
    for (Eigen::Index i = 0; i < result.size(); ++i)
      result[i] = curves.difference(pair, table, knots[static_cast<std::size_t>(i)]).value;
    return result;
  };
  const Propagated found =
      propagate({curves.sources()[pair.first], curves.sources()[pair.second]}, curves.table(), pipeline);
  const Eigen::VectorXd plain = pipeline(curves.table());
  return {knots, plain, plain.cwiseQuotient(found.error)};
}

/// The root of the difference in [low, high], at whose ends it has different signs.
double bisect(const Curves& curves, const SizePair& pair, double low, double high) {
  const bool rising = curves.difference(pair, curves.table(), low).value < 0;
  for (int step = 0; step < 50; ++step) {
    const double middle = 0.5 * (low + high);
    const bool below = (curves.difference(pair, curves.table(), middle).value < 0) == rising;
    (below ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Deleting a block shifts a crossing by little, so Newton's steps from the crossing of the full data find it.
double solve(const Curves& curves, const PlannedPair& pair, const Table& table) {
  double T = pair.start;
  for (int step = 0; step < 20; ++step) {
    const Point difference = curves.difference(pair, table, T);
    T -= difference.value / difference.slope;
  }
  return T;
}

void require_common_range(const Curves& curves, const SizePair& pair, const Differences& found) {
  if (found.knots.size() < 2)
    throw NothingInCommon(
        fmt::format("The curves of L = {} and {} do not cross in a range of temperatures that both sizes cover; add "
                    "slots or samples, or widen --from and --to.",
                    curves[pair.first].L, curves[pair.second].L));
}

/// Throws NoCrossing where the crossing leaves the interval when some block is deleted: curves that are nearly the same
/// change sign by chance.
void require_determined(const Curves& curves, const PlannedPair& pair, double low, double high) {
  bool inside = true;
  propagate({curves.sources()[pair.first], curves.sources()[pair.second]}, curves.table(), [&](const Table& table) {
    const double T = solve(curves, pair, table);
    inside = inside && low <= T && T <= high;
    return Eigen::VectorXd::Constant(1, T);
  });
  if (!inside)
    throw NoCrossing(
        fmt::format("The crossing of L = {} and {} near T = {:.6g} is not determined, it leaves T = {} to {} when a "
                    "block of samples is left out; add samples.",
                    curves[pair.first].L, curves[pair.second].L, pair.start, low, high),
        low, high);
}

/// Chooses, on the full data, which change of sign is the crossing: the one nearest to the best split.
PlannedPair plan(const Curves& curves, const SizePair& pair, const CrossingOptions& options) {
  const Differences found = differences(curves, pair, options);
  require_common_range(curves, pair, found);
  const Eigen::Index below = split(found.significance);
  if (below == 0)
    throw NoCrossing(
        fmt::format("The curves of L = {} and {} do not cross between T = {} and {}; add slots or samples, or widen "
                    "--from and --to.",
                    curves[pair.first].L, curves[pair.second].L, found.knots.front(), found.knots.back()),
        found.knots.front(), found.knots.back());
  Eigen::Index best = 0;
  for (Eigen::Index i = 1; i < found.values.size(); ++i) {
    const bool changes = (found.values[i - 1] < 0) != (found.values[i] < 0);
    if (changes && (best == 0 || std::abs(i - below) < std::abs(best - below))) best = i;
  }
  const auto end = static_cast<std::size_t>(best);
  const PlannedPair planned{pair, bisect(curves, pair, found.knots[end - 1], found.knots[end])};
  require_determined(curves, planned, found.knots.front(), found.knots.back());
  return planned;
}

/// With the slots around it and their equilibration test.
Crossing described(const Curves& curves, const PlannedPair& pair, const statistics::Estimate& temperature,
                   const statistics::Estimate& value) {
  Crossing crossing{static_cast<double>(curves[pair.first].L),
                    static_cast<double>(curves[pair.second].L),
                    temperature,
                    value,
                    statistics::unknown,
                    pair.start,
                    pair.start,
                    true};
  for (const std::size_t c : {pair.first, pair.second}) {
    const TemperedCurve& curve = curves[c];
    const Eigen::Index i = interval(curve.temperatures, pair.start);
    crossing.T_min = std::min(crossing.T_min, curve.temperatures[i]);
    crossing.T_max = std::max(crossing.T_max, curve.temperatures[i + 1]);
    for (const Eigen::Index slot : {i, i + 1})
      crossing.equilibrated = both(crossing.equilibrated, curve.equilibrated[static_cast<std::size_t>(slot)]);
  }
  return crossing;
}

}  // namespace

std::vector<Crossing> tempered_crossings(const std::vector<TemperedCurve>& curves, const CrossingOptions& options) {
  const std::vector<SizePair> size_list = pairs_of_curves(curves, options);
  const Curves all(curves);
  const auto plans = plans_of(all, size_list, [&](const SizePair& pair) { return plan(all, pair, options); });
  const std::vector<PlannedPair>& pairs = plans.pairs;
  const Pipeline pipeline = [&](const Table& table) {
    return stacked(pairs, [&](const PlannedPair& pair) {
      const double T = solve(all, pair, table);
      return std::pair{T, 0.5 * (all.at(pair.first, table, T).value + all.at(pair.second, table, T).value)};
    });
  };
  return crossings_with_limit(all.sources(), all.table(), pipeline, options, plans.none,
                              [&](std::size_t i, const auto& temperature, const auto& value) {
                                return described(all, pairs[i], temperature, value);
                              });
}

}  // namespace psflip::analysis
