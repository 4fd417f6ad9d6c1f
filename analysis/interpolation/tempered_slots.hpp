#pragma once
#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/ensemble/ensemble.hpp"
#include "analysis/statistics/jackknife.hpp"

namespace psflip::analysis {

/// Observables of tempering at one size in all slots. The slots stand on the same samples, so they are one data set.
struct TemperedSlots {
  Eigen::VectorXd temperatures;  ///< ascending
  Eigen::VectorXd betas;
  statistics::Blocks blocks;  ///< primary quantities of the last bins of all slots side by side
  std::function<Eigen::MatrixXd(const Eigen::VectorXd& means)> values;  ///< of the means: [slot][observable]
  std::vector<std::vector<std::optional<bool>>> equilibrated;           ///< [observable][slot]

  Eigen::Index count() const { return temperatures.size(); }
  /// The test of slots first ... last together: false if one failed, nothing if one is unknown.
  std::optional<bool> equilibrated_from(std::size_t observable, Eigen::Index first, Eigen::Index last) const;
};

/// Of ensembles sorted by temperature. Throws UserError unless they are of tempering at one size, with two slots or
/// more on the same samples, and with the sums for all `observables`.
TemperedSlots tempered_slots(const std::vector<Ensemble>& ensembles, const std::vector<std::string>& observables);

/// Throws UserError unless the ensembles are of tempering at one size, with `fewest` slots or more.
void require_one_grid(const std::vector<Ensemble>& ensembles, std::size_t fewest);

}  // namespace psflip::analysis
