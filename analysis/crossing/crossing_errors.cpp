#include "analysis/crossing/crossing_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "analysis/statistics/fit.hpp"

namespace psflip::analysis {
namespace {

using statistics::Fit;

/// y = limit + amplitude x, weighted by 1 / errors^2.
Fit straight_line(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Eigen::VectorXd& errors) {
  return statistics::fit_polynomial(x, y, errors, 1);
}

/// f = (1 - s^-omega) / (s^(1/nu) - 1), s = L2 / L1.
double drift_factor(double L1, double L2, const Exponents& exponents) {
  const double s = L2 / L1;
  return (1 - std::pow(s, -exponents.omega)) / (std::pow(s, 1 / exponents.nu) - 1);
}

/// Abscissae of the extrapolations. R(T, L) = R* + a (T - Tc) L^(1/nu) + b L^-omega of L1 and L2 = s L1 are equal at
/// T* - Tc = (b / a) L1^-(omega + 1/nu) f, R* - R(T*) = -b L1^-omega (1 + f).
struct Abscissae {
  Eigen::VectorXd temperature, value;
};

Abscissae abscissae(const std::vector<Crossing>& found, const Exponents& exponents) {
  Abscissae x{Eigen::VectorXd(std::ssize(found)), Eigen::VectorXd(std::ssize(found))};
  for (Eigen::Index i = 0; i < x.value.size(); ++i) {
    const Crossing& crossing = found[static_cast<std::size_t>(i)];
    x.temperature[i] = crossing_shift(crossing.L1, crossing.L2, exponents);
    x.value[i] = std::pow(crossing.L1, -exponents.omega) * (1 + drift_factor(crossing.L1, crossing.L2, exponents));
  }
  return x;
}

/// Positions of the crossings that enter the extrapolation: crossings that are not in equilibrium would distort it.
std::vector<Eigen::Index> entering(const std::vector<Crossing>& found) {
  std::vector<Eigen::Index> all(found.size()), equilibrated;
  std::iota(all.begin(), all.end(), 0);
  std::copy_if(all.begin(), all.end(), std::back_inserter(equilibrated),
               [&](Eigen::Index i) { return found[static_cast<std::size_t>(i)].equilibrated == true; });
  return equilibrated.size() >= 2 ? equilibrated : all;
}

/// The outermost temperatures of all, and one equilibration test for all.
Crossing infinite_pair(const std::vector<Crossing>& used) {
  Crossing last = used.front();
  last.L2 = std::numeric_limits<double>::infinity();
  for (const Crossing& crossing : used) {
    last.T_min = std::min(last.T_min, crossing.T_min);
    last.T_max = std::max(last.T_max, crossing.T_max);
    last.equilibrated = both(last.equilibrated, crossing.equilibrated);
  }
  return last;
}

/// Half the spread, (largest - smallest) / 2, of the limits of straight lines through `y` over the exponents and their
/// alternatives. `along` picks the abscissa. The weights are fixed, so a limit is linear in y, and that of
/// bias-corrected crossings is the bias-corrected limit.
double half_spread(const std::vector<Crossing>& used, const Eigen::VectorXd& y, const Eigen::VectorXd& errors,
                   Eigen::VectorXd Abscissae::*along, const CrossingOptions& options) {
  const auto limit = [&](const Exponents& exponents) {
    return straight_line(abscissae(used, exponents).*along, y, errors).parameters[0];
  };
  double low = limit({options.nu, options.omega}), high = low;
  for (const Exponents& exponents : options.alternatives) {
    const double other = limit(exponents);
    low = std::min(low, other);
    high = std::max(high, other);
  }
  return 0.5 * (high - low);
}

/// Change of the limit of a straight line through `y` if a second correction to scaling, of exponent 2 omega, is fitted
/// too. 0 if this leaves no degree of freedom.
double change_by_second_correction(const std::vector<Crossing>& used, const Eigen::VectorXd& y,
                                   const Eigen::VectorXd& errors, Eigen::VectorXd Abscissae::*along,
                                   const CrossingOptions& options) {
  if (y.size() < 4) return 0;
  const Eigen::VectorXd x = abscissae(used, {options.nu, options.omega}).*along,
                        second = abscissae(used, {options.nu, 2 * options.omega}).*along;
  Eigen::MatrixXd design(y.size(), 3);
  design << Eigen::VectorXd::Ones(y.size()), x, second;
  const Fit both = statistics::fit_linear(design, y, errors.cwiseAbs2().asDiagonal());
  return std::abs(both.parameters[0] - straight_line(x, y, errors).parameters[0]);
}

/// The systematic error of the limit of `y`.
double systematic_error(const std::vector<Crossing>& used, const Eigen::VectorXd& y, const Eigen::VectorXd& errors,
                        Eigen::VectorXd Abscissae::*along, const CrossingOptions& options) {
  const double spread = half_spread(used, y, errors, along, options);
  if (!options.second_correction) return spread;
  return std::max(spread, change_by_second_correction(used, y, errors, along, options));
}

}  // namespace

double crossing_shift(double L1, double L2, const Exponents& exponents) {
  return std::pow(L1, -exponents.omega - 1 / exponents.nu) * drift_factor(L1, L2, exponents);
}

Propagated propagate(const std::vector<Source>& sources, const Table& table, const Pipeline& pipeline) {
  const Eigen::VectorXd plain = pipeline(table);
  Propagated result{plain, Eigen::VectorXd::Zero(plain.size()), decltype(Propagated::blocks)::Zero(plain.size())};
  for (const Source& source : sources) {
    Table changed = table;
    const statistics::Jackknife jackknife(*source.blocks, [&](const Eigen::VectorXd& means) {
      const Eigen::VectorXd entries = (*source.function)(means);
      changed[source.curve].segment(source.first, entries.size()) = entries;
      return pipeline(changed);
    });
    result.value += jackknife.value() - plain;
    result.error += jackknife.error().cwiseAbs2();
    for (Eigen::Index i = 0; i < plain.size(); ++i) {
      const bool contributes = (jackknife.replicates().col(i).array() != plain[i]).any();
      if (contributes && (result.blocks[i] == 0 || jackknife.blocks() < result.blocks[i]))
        result.blocks[i] = jackknife.blocks();
    }
  }
  result.error = result.error.cwiseSqrt();
  return result;
}

Crossing limit_of(const std::vector<Crossing>& found, const std::vector<Source>& sources, const Table& table,
                  const Pipeline& solve_all, const CrossingOptions& options) {
  const std::vector<Eigen::Index> places = entering(found);
  const Eigen::Index count = std::ssize(places);
  std::vector<Crossing> used;
  Eigen::VectorXd temperatures(count), values(count), temperature_errors(count), value_errors(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    used.push_back(found[static_cast<std::size_t>(places[static_cast<std::size_t>(i)])]);
    temperatures[i] = used.back().temperature.value;
    values[i] = used.back().value.value;
    temperature_errors[i] = used.back().temperature.error;
    value_errors[i] = used.back().value.error;
  }
  const Abscissae x = abscissae(used, {options.nu, options.omega});
  const auto lines = [&](const Table& t) {
    const Eigen::VectorXd all = solve_all(t);
    return std::pair{straight_line(x.temperature, all.head(std::ssize(found))(places), temperature_errors),
                     straight_line(x.value, all.tail(std::ssize(found))(places), value_errors)};
  };
  const Propagated limit = propagate(sources, table, [&](const Table& t) {
    const auto [temperature, value] = lines(t);
    return Eigen::VectorXd(Eigen::Vector2d(temperature.parameters[0], value.parameters[0]));
  });
  Crossing last = infinite_pair(used);
  last.temperature = {limit.value[0], limit.error[0]};
  last.value = {limit.value[1], limit.error[1]};
  last.blocks = limit.blocks.minCoeff();
  last.temperature_systematic =
      systematic_error(used, temperatures, temperature_errors, &Abscissae::temperature, options);
  last.value_systematic = systematic_error(used, values, value_errors, &Abscissae::value, options);
  last.chi2_dof = lines(table).first.chi2_dof();
  return last;
}

Crossing without_crossing(int L1, int L2, const NoCrossing& none) {
  const statistics::Estimate unknown{statistics::unknown, statistics::unknown};
  Crossing entry{
      static_cast<double>(L1), static_cast<double>(L2), unknown, unknown, statistics::unknown, none.T_min, none.T_max};
  entry.why_none = none.what();
  return entry;
}

std::vector<Crossing> crossings_with_limit(
    const std::vector<Source>& sources, const Table& table, const Pipeline& solve_all, const CrossingOptions& options,
    const std::vector<Crossing>& none,
    const std::function<Crossing(std::size_t, statistics::Estimate, statistics::Estimate)>& describe) {
  if (solve_all(table).size() == 0) return none;
  const Propagated found = propagate(sources, table, solve_all);
  const Eigen::Index pairs = found.value.size() / 2;
  std::vector<Crossing> result;
  for (Eigen::Index i = 0; i < pairs; ++i) {
    const Eigen::Index value = i + pairs;
    result.push_back(describe(static_cast<std::size_t>(i), {found.value[i], found.error[i]},
                              {found.value[value], found.error[value]}));
    result.back().blocks = std::min(found.blocks[i], found.blocks[value]);
  }
  std::vector<Crossing> limit;
  if (options.extrapolate && pairs >= 2) limit.push_back(limit_of(result, sources, table, solve_all, options));
  result.insert(result.end(), none.begin(), none.end());
  std::stable_sort(result.begin(), result.end(), [](const Crossing& a, const Crossing& b) {
    return std::pair{a.L1, a.L2} < std::pair{b.L1, b.L2};
  });
  result.insert(result.end(), limit.begin(), limit.end());
  return result;
}

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

std::optional<bool> both(const std::optional<bool>& a, const std::optional<bool>& b) {
  if (a == false || b == false) return false;
  return a && b ? std::optional(true) : std::nullopt;
}

}  // namespace psflip::analysis
