#include "analysis/crossing/tempered_curve.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/ensemble/jackknife_blocks.hpp"
#include "analysis/models/equilibration.hpp"
#include "analysis/models/observables.hpp"
#include "analysis/models/require.hpp"
#include "engine/io/error.hpp"

namespace psflip::analysis {
namespace {

/// The primaries of the last bins of all slots side by side, and the function that gives values and slopes.
TemperedCurve curve_of(const std::vector<const Ensemble*>& slots, const std::string& observable) {
  const Ensemble& coldest = *slots.front();
  const Eigen::Index count = std::ssize(slots), width = std::ssize(coldest.blocks.names);
  TemperedCurve curve{coldest.L(), Eigen::VectorXd(count), {}, {}, {}};
  curve.blocks = {Eigen::MatrixXd(coldest.blocks.size(), count * width), coldest.blocks.samples};
  std::vector<statistics::Function> functions;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Ensemble& slot = *slots[static_cast<std::size_t>(i)];
    curve.temperatures[i] = slot.temperature;
    curve.blocks.sums.middleCols(i * width, width) = equilibrium_blocks(slot).sums;
    curve.equilibrated.push_back(verdicts(slot)(observable));
    functions.push_back(observables(slot, {observable, observable + "_slope"}).evaluate);
  }
  curve.function = [=](const auto& means) {
    Eigen::VectorXd row(2 * count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const Eigen::VectorXd numbers = functions[static_cast<std::size_t>(i)](means.segment(i * width, width));
      row[i] = numbers[0];
      row[count + i] = numbers[1];
    }
    return row;
  };
  return curve;
}

}  // namespace

Eigen::Index interval(const Eigen::VectorXd& temperatures, double T) {
  const auto above = std::upper_bound(temperatures.begin(), temperatures.end(), T) - temperatures.begin();
  return std::clamp<Eigen::Index>(above - 1, 0, temperatures.size() - 2);
}

Point interpolate(const Eigen::VectorXd& temperatures, const Eigen::VectorXd& row, double T) {
  const Eigen::Index i = interval(temperatures, T), slots = temperatures.size();
  const double width = temperatures[i + 1] - temperatures[i], x = (T - temperatures[i]) / width;
  const double rise = row[i + 1] - row[i], a = row[slots + i] * width, b = row[slots + i + 1] * width;
  // p(x) = p0 + a x + c2 x^2 + c3 x^3 with p(1) = p1, p'(1) = b
  const double c2 = 3 * rise - 2 * a - b, c3 = a + b - 2 * rise;
  return {row[i] + x * (a + x * (c2 + x * c3)), (a + x * (2 * c2 + x * 3 * c3)) / width};
}

std::vector<TemperedCurve> tempered_curves_of(const std::vector<Ensemble>& ensembles, const std::string& observable) {
  std::vector<TemperedCurve> curves;
  for (auto begin = ensembles.begin(); begin != ensembles.end();) {
    const auto end = std::find_if(begin, ensembles.end(), [&](const Ensemble& e) { return e.L() != begin->L(); });
    std::vector<const Ensemble*> slots;
    for (auto slot = begin; slot != end; ++slot) {
      require_same_blocks(*begin, *slot);
      require_observables(*slot, {observable, observable + "_slope"});
      slots.push_back(&*slot);
    }
    if (slots.size() < 2)
      throw UserError(
          fmt::format("Cannot use {}: it has one temperature slot, but a curve needs two.", begin->path.string()));
    curves.push_back(curve_of(slots, observable));
    begin = end;
  }
  return curves;
}

}  // namespace psflip::analysis
