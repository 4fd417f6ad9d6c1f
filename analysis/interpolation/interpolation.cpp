#include "analysis/interpolation/interpolation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/crossing/tempered_curve.hpp"
#include "analysis/interpolation/polynomial_weights.hpp"
#include "analysis/models/observables.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {
namespace {

/// Values of the slots around a temperature; one more makes the next order.
constexpr Eigen::Index slots_of_polynomial = 4;

/// A temperature so close to a slot is meant to be the slot: beta = 1 / T is rounded.
constexpr double same_temperature = 1e-12;

/// Which observable is the derivative of another in temperature, up to a factor.
struct Slope {
  const char *observable, *derivative;
  double factor;
  bool times_L = false;
};
constexpr std::array slopes = {Slope{"e", "C", 1}, Slope{"U4", "U4_slope", 1}, Slope{"g", "U4_slope", -0.5},
                               Slope{"xi_over_L", "xi_over_L_slope", 1}, Slope{"xi", "xi_over_L_slope", 1, true}};

/// The columns of the table [slot][column] from which an observable is interpolated.
struct Origin {
  Eigen::Index value;
  Eigen::Index slope = -1;  ///< -1: not measured
  double factor = 1;        ///< of the slope
};

/// Consecutive slots.
struct Range {
  Eigen::Index first, count;
  Eigen::Index last() const { return first + count - 1; }
};

/// A grid and one temperature inside it.
struct Place {
  const TemperedSlots& slots;
  double T;
  Eigen::Index lower;  ///< of the two slots around T
  bool at_slot;        ///< T is that of slot `lower`

  double beta() const { return at_slot ? slots.betas[lower] : 1 / T; }
  /// So many slots, as many below as above T where there are.
  Range around(Eigen::Index wanted) const {
    const Eigen::Index count = std::min(wanted, slots.count()), upper = std::min(lower + 1, slots.count() - 1);
    const bool near_lower = std::abs(beta() - slots.betas[lower]) < std::abs(beta() - slots.betas[upper]);
    const Eigen::Index below = count % 2 == 0 ? count / 2 - 1 : (count - 1) / 2 - (near_lower ? 0 : 1);
    return {std::clamp<Eigen::Index>(lower - std::max<Eigen::Index>(below, 0), 0, slots.count() - count), count};
  }
};

Place place_of(const TemperedSlots& slots, double T, const Ensemble& of) {
  for (Eigen::Index i = 0; i < slots.count(); ++i)
    if (std::abs(slots.temperatures[i] - T) <= same_temperature * T) return {slots, slots.temperatures[i], i, true};
  const double coldest = slots.temperatures[0], hottest = slots.temperatures[slots.count() - 1];
  if (!(coldest < T && T < hottest))
    throw UserError(
        fmt::format("Cannot interpolate {} at T = {:.6g} (beta = {:.6g}): its slots lie between T = {} and {}; give "
                    "temperatures in this interval.",
                    of.path.string(), T, 1 / T, coldest, hottest));
  return {slots, T, interval(slots.temperatures, T), false};
}

/// The polynomial in beta through `count` slots.
double through_values(const Place& place, Eigen::Index count, const Eigen::VectorXd& values) {
  const Range range = place.around(count);
  const Eigen::VectorXd betas = place.slots.betas.segment(range.first, range.count);
  return polynomial_weights(betas, place.beta()).dot(values.segment(range.first, range.count));
}

double from_values(const Place& place, const Eigen::VectorXd& values) {
  return through_values(place, slots_of_polynomial, values);
}

double systematic_from_values(const Place& place, const Eigen::VectorXd& values) {
  const Eigen::Index slots = place.slots.count();
  const Eigen::Index next = slots > slots_of_polynomial ? slots_of_polynomial + 1 : slots - 1;
  return std::abs(through_values(place, next, values) - from_values(place, values));
}

/// The polynomial in T with these nodes; `row` holds values of all slots, then slopes.
double through_nodes(const Place& place, const std::vector<std::pair<Eigen::Index, int>>& known,
                     const Eigen::VectorXd& row) {
  std::vector<Node> nodes;
  Eigen::VectorXd values(std::ssize(known));
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto [slot, derivative] = known[i];
    nodes.push_back({place.slots.temperatures[slot], derivative});
    values[static_cast<Eigen::Index>(i)] = row[derivative * place.slots.count() + slot];
  }
  return polynomial_weights(nodes, place.T).dot(values);
}

double from_slopes(const Place& place, const Eigen::VectorXd& row) {
  return interpolate(place.slots.temperatures, row, place.T).value;
}

/// To the polynomial of fifth degree with the value and slope of a third slot; of two slots the larger difference to
/// the parabolas with the slope of one.
double systematic_from_slopes(const Place& place, const Eigen::VectorXd& row) {
  const double cubic = from_slopes(place, row);
  if (place.slots.count() > 2) {
    std::vector<std::pair<Eigen::Index, int>> known;
    const Range range = place.around(3);
    for (Eigen::Index slot = range.first; slot <= range.last(); ++slot)
      known.insert(known.end(), {{slot, 0}, {slot, 1}});
    return std::abs(through_nodes(place, known, row) - cubic);
  }
  const auto parabola = [&](Eigen::Index slope) { return through_nodes(place, {{0, 0}, {1, 0}, {slope, 1}}, row); };
  return std::max(std::abs(parabola(0) - cubic), std::abs(parabola(1) - cubic));
}

/// Interpolation of several observables at several temperatures.
class Plan {
 public:
  Plan(const std::vector<Ensemble>& ensembles, std::vector<std::string> observables,
       const std::vector<double>& temperatures)
      : observables_(std::move(observables)) {
    std::vector<std::string> columns = observables_;
    const Observables all = analysis::observables(ensembles.front());
    for (std::size_t o = 0; o < observables_.size(); ++o) {
      origins_.push_back({static_cast<Eigen::Index>(o)});
      for (const Slope& slope : slopes) {
        if (slope.observable != observables_[o] || !all.has(slope.derivative)) continue;
        origins_.back().slope = std::ssize(columns);
        origins_.back().factor = slope.factor * (slope.times_L ? ensembles.front().L() : 1);
        columns.emplace_back(slope.derivative);
      }
    }
    slots_ = tempered_slots(ensembles, columns);
    for (const double T : temperatures) places_.push_back(place_of(slots_, T, ensembles.front()));
  }

  const statistics::Blocks& blocks() const { return slots_.blocks; }

  /// One number for each observable and temperature, from slopes or from values alone.
  template <class Slopes, class Values>
  Eigen::VectorXd numbers(const Eigen::VectorXd& means, Slopes of_slopes, Values of_values) const {
    const Eigen::MatrixXd table = slots_.values(means);
    Eigen::VectorXd result(std::ssize(origins_) * std::ssize(places_));
    Eigen::Index next = 0;
    for (const Origin& origin : origins_) {
      Eigen::VectorXd row = table.col(origin.value);
      if (origin.slope >= 0) {
        row.conservativeResize(2 * slots_.count());
        row.tail(slots_.count()) = origin.factor * table.col(origin.slope);
      }
      for (const Place& place : places_)
        result[next++] = origin.slope >= 0 ? of_slopes(place, row) : of_values(place, row);
    }
    return result;
  }

  std::vector<InterpolatedRow> rows() const {
    std::vector<InterpolatedRow> rows;
    for (std::size_t o = 0; o < observables_.size(); ++o) {
      const bool with_slopes = origins_[o].slope >= 0;
      for (const Place& place : places_) {
        Range used = with_slopes ? Range{place.lower, 2} : place.around(slots_of_polynomial);
        const Eigen::Index order = with_slopes ? 3 : used.count - 1;
        if (place.at_slot) used = {place.lower, 1};  // every polynomial has its value
        rows.push_back({observables_[o],
                        place.T,
                        {},
                        0,
                        with_slopes,
                        order,
                        slots_.temperatures[used.first],
                        slots_.temperatures[used.last()],
                        slots_.equilibrated_from(o, used.first, used.last())});
      }
    }
    return rows;
  }

 private:
  std::vector<std::string> observables_;
  std::vector<Origin> origins_;
  TemperedSlots slots_;
  std::vector<Place> places_;
};

/// Numbers that depend on which slots a grid has.
bool belongs_to_grid(const std::string& observable) {
  return observable.starts_with("tau_int_") || observable == "exchange_rate" || observable == "round_trip_time" ||
         observable == "flow_fraction";
}

void require_function_of_temperature(const Ensemble& ensemble, const std::vector<std::string>& observables) {
  for (const std::string& name : observables)
    if (belongs_to_grid(name))
      throw UserError(
          fmt::format("Cannot interpolate {} of {}: it belongs to the slots of a grid and is no function of "
                      "temperature; leave it out.",
                      name, ensemble.path.string()));
}

}  // namespace

std::vector<std::string> interpolated_observables(const std::vector<Ensemble>& ensembles) {
  std::vector<std::string> names = observables(ensembles.front()).names;
  std::erase_if(names, belongs_to_grid);
  return names;
}

Interpolation interpolate_observables(const std::vector<Ensemble>& ensembles,
                                      const std::vector<std::string>& observables,
                                      const std::vector<double>& temperatures) {
  require_one_grid(ensembles, 2);
  require_function_of_temperature(ensembles.front(), observables);
  const Plan plan(ensembles, observables, temperatures);
  const statistics::Jackknife jackknife(
      plan.blocks(), [&](const Eigen::VectorXd& means) { return plan.numbers(means, from_slopes, from_values); });
  const Eigen::VectorXd systematic =
      plan.numbers(plan.blocks().means(), systematic_from_slopes, systematic_from_values);
  Interpolation result{plan.rows(), jackknife.covariance(), jackknife.blocks()};
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    result.rows[i].estimate = jackknife.estimate(static_cast<Eigen::Index>(i));
    const bool at_slot = result.rows[i].T_min == result.rows[i].T_max;
    result.rows[i].systematic = at_slot ? 0 : systematic[static_cast<Eigen::Index>(i)];
  }
  return result;
}

}  // namespace psflip::analysis
