#pragma once
#include <string>
#include <vector>

#include "analysis/critical/critical.hpp"
#include "analysis/critical/cumulant_fit.hpp"

namespace psflip::analysis {

/// z and eta from the powers of L in t and chi at one beta, by a fit to all sizes and from each pair of neighbours.
class SizePowers {
 public:
  /// The fitted quantity: log t, log chi.
  static std::vector<DataSet> data_sets(const ScalingData& data, double R_xi, int L_min);

  /// `data_sets` as above; `common`: the fields that all rows share; `beta`: where the values of all sizes get their
  /// weights.
  SizePowers(const std::vector<DataSet>& data_sets, const CriticalRow& common, double beta);

  /// All rows at `beta`, without errors, from the values of all points of both data sets.
  std::vector<CriticalRow> rows(const std::vector<Eigen::VectorXd>& y, double beta) const;

 private:
  CriticalRow common_;
  std::vector<AtBeta> at_beta_;
  std::vector<Eigen::MatrixXd> covariances_;  ///< of the values of all sizes
};

/// The rows that `function` makes of all points, with errors from the deviations of every row of the data sets.
std::vector<CriticalRow> with_errors(const JoinedDataSets& joined,
                                     const std::function<std::vector<CriticalRow>(const Eigen::VectorXd& y)>& function);

}  // namespace psflip::analysis
