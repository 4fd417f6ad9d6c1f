#include "analysis/crossing/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/io/error.hpp"

namespace psflip::analysis {
namespace {

/// Means of both runs side by side.
statistics::Blocks side_by_side(const TemperedCurve& one, const TemperedCurve& other) {
  statistics::Blocks both{Eigen::MatrixXd(one.blocks.sums.rows(), one.blocks.sums.cols() + other.blocks.sums.cols()),
                          one.blocks.weights};
  both.sums << one.blocks.sums, other.blocks.sums;
  return both;
}

/// Slots of `one` inside the range of `other`.
std::vector<Eigen::Index> common_slots(const TemperedCurve& one, const TemperedCurve& other) {
  std::vector<Eigen::Index> slots;
  for (Eigen::Index k = 0; k < one.temperatures.size(); ++k)
    if (other.temperatures.minCoeff() <= one.temperatures[k] && one.temperatures[k] <= other.temperatures.maxCoeff())
      slots.push_back(k);
  return slots;
}

bool same_temperatures(const std::vector<Ensemble>& one, const std::vector<Ensemble>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const Ensemble& a, const Ensemble& b) { return a.temperature == b.temperature; });
}

}  // namespace

std::vector<Agreement> agreement(const TemperedCurve& one, const TemperedCurve& other) {
  const std::vector<Eigen::Index> slots = common_slots(one, other);
  const Eigen::Index count = std::ssize(slots), width = one.blocks.sums.cols();
  const auto function = [&](const Eigen::VectorXd& means) {
    const Eigen::VectorXd first = one.function(means.head(width));
    const Eigen::VectorXd second = other.function(means.tail(means.size() - width));
    Eigen::VectorXd result(3 * count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const Eigen::Index slot = slots[static_cast<std::size_t>(i)];
      const double there = interpolate(other.temperatures, second, one.temperatures[slot]).value;
      result.segment(3 * i, 3) << first[slot], there, there - first[slot];
    }
    return result;
  };
  const statistics::Jackknife jackknife(side_by_side(one, other), function);
  std::vector<Agreement> result;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::Index slot = slots[static_cast<std::size_t>(i)];
    result.push_back({one.temperatures[slot], jackknife.estimate(3 * i), jackknife.estimate(3 * i + 1),
                      jackknife.estimate(3 * i + 2), one.equilibrated[static_cast<std::size_t>(slot)]});
  }
  return result;
}

void require_same_samples(const std::vector<Ensemble>& one, const std::vector<Ensemble>& other) {
  const Ensemble &a = one.front(), &b = other.front();
  const auto refuse = [&](const std::string& why) {
    throw UserError(fmt::format("Cannot compare {} and {}: {}.", a.path.string(), b.path.string(), why));
  };
  if (a.method() != Method::tempering || b.method() != Method::tempering)
    refuse("the comparison is for tempering alone; give two runs of it");
  const auto value = [](const Ensemble& ensemble, const char* name) {
    const auto found = ensemble.attributes.find(name);
    return found == ensemble.attributes.end() ? std::nullopt : std::optional(found->second);
  };
  for (const char* name : {"model", "L", "h", "J", "seed"})
    if (value(a, name) != value(b, name))
      refuse(fmt::format("they differ in {}; give two runs of the same samples", name));
  if (one.back().L() != a.L() || other.back().L() != b.L()) refuse("they hold several sizes; give one size at a time");
  if (a.blocks.ids != b.blocks.ids || a.blocks.samples != b.blocks.samples)
    refuse("their samples or blocks differ; reduce the same samples with the same --block-samples");
  if (same_temperatures(one, other))
    refuse("their temperatures are the same, so they begin with the same random numbers; give a run with another grid");
  if (a.temperature > other.back().temperature || one.back().temperature < b.temperature)
    refuse("their temperatures do not overlap; give runs whose ranges do");
}

}  // namespace psflip::analysis
