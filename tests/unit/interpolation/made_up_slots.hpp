#pragma once
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "engine/core/version.hpp"

/// Block sums of tempering with made-up content.
namespace psflip::test {

/// The sum of a primary quantity over the samples of a block.
using BlockValue = std::function<double(const std::string& quantity, double T, Eigen::Index block)>;

/// One ensemble for each temperature, each block one sample, in three bins that hold the same.
inline std::vector<analysis::Ensemble> made_up_slots(const std::string& model, std::int64_t L,
                                                     const std::vector<double>& temperatures, Eigen::Index blocks,
                                                     const std::vector<std::string>& quantities,
                                                     const BlockValue& value) {
  std::vector<analysis::Ensemble> slots;
  for (const double T : temperatures) {
    analysis::Ensemble slot;
    slot.attributes = {{"model", model},
                       {"method", std::string("tempering")},
                       {"couplings", std::string("ferromagnet")},
                       {"start", std::string("random")},
                       {"random", std::string("independent")},
                       {"L", L},
                       {"seed", std::int64_t{1}},
                       {"replicas", std::int64_t{2}},
                       {"sweeps", std::int64_t{80}},
                       {"exchange_interval", std::int64_t{10}}};
    slot.path = "made_up.h5";
    slot.temperature = T;
    slot.beta = 1 / T;
    slot.moments = {20, 40, 80};
    slot.measurements = {2, 2, 4};
    slot.blocks.names = quantities;
    slot.blocks.samples = Eigen::VectorXd::Ones(blocks);
    for (Eigen::Index b = 0; b < blocks; ++b) slot.blocks.ids.push_back(b);
    for (const std::string& quantity : quantities) {
      Eigen::RowVectorXd row(blocks);
      for (Eigen::Index b = 0; b < blocks; ++b) row[b] = value(quantity, T, b);
      slot.blocks.sums.push_back(row.replicate(3, 1));
    }
    slots.push_back(std::move(slot));
  }
  return slots;
}

/// `count` temperatures at equal distances.
inline std::vector<double> grid(double from, double to, std::size_t count) {
  std::vector<double> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1));
  return all;
}

/// How often a number lies within so many of its errors of the truth.
struct Coverage {
  int within_one = 0, within_two = 0, trials = 0;

  void add(double value, double error, double truth) {
    ++trials;
    within_one += std::abs(value - truth) <= error ? 1 : 0;
    within_two += std::abs(value - truth) <= 2 * error ? 1 : 0;
  }

  /// Whether both counts are binomial with the probabilities of Student's t of 31 degrees of freedom, within 3.5 of
  /// their standard deviations.
  bool is_right() const {
    const auto agrees = [this](int count, double p) {
      return std::abs(count - trials * p) <= 3.5 * std::sqrt(trials * p * (1 - p));
    };
    return agrees(within_one, 0.6749) && agrees(within_two, 0.9457);
  }
};

inline constexpr Eigen::Index blocks_of_coverage = 32;  ///< 31 degrees of freedom

}  // namespace psflip::test
