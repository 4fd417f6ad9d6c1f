#pragma once
#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "analysis/critical/fixed_R_xi.hpp"
#include "analysis/statistics/estimate.hpp"

namespace psflip::analysis {

/// One quantity at one reference value of R_xi, over sizes and temperatures.
struct DataSet {
  Eigen::VectorXd L, beta;     ///< [point], sizes ascending
  Eigen::VectorXd y;           ///< [point]
  Eigen::MatrixXd deviations;  ///< D with covariance D^T D: [row][point]; those of one ScalingData share their rows

  Eigen::MatrixXd covariance() const { return deviations.transpose() * deviations; }
};

/// Values at fixed R_xi of all sizes and temperatures. Samples of one size have the same couplings at every
/// temperature, so blocks with one id are one row of deviations at all temperatures; different sizes share nothing.
class ScalingData {
 public:
  /// Throws UserError for runs of one size at one temperature twice.
  explicit ScalingData(std::vector<FixedRxiValues> runs);

  const std::vector<int>& sizes() const { return sizes_; }
  /// All points of sizes from L_min on that have a value of `quantity` at the reference value `R_xi`.
  DataSet data_set(const std::string& quantity, double R_xi, int L_min = 0) const;

 private:
  std::vector<FixedRxiValues> runs_;
  std::vector<int> sizes_;
  std::vector<Eigen::MatrixXd> rows_;  ///< of each run: deviations in the rows of its size
};

/// Several data sets of one ScalingData, their points one after another.
class JoinedDataSets {
 public:
  explicit JoinedDataSets(std::vector<DataSet> data_sets);

  const std::vector<DataSet>& data_sets() const { return data_sets_; }
  Eigen::VectorXd y() const;
  Eigen::MatrixXd deviations() const;  ///< [row][point]
  /// The points of one data set among all points.
  Eigen::VectorXd part(const Eigen::VectorXd& y, std::size_t data_set) const;
  /// Covariance of all points. Within a size all correlate, as far as its rows can tell: correlations of n points from
  /// N rows are multiplied by 1 - n / (2 N), and dropped below 0, because the inverse of what is left out would be
  /// noise. Weights and chi^2 depend on it; errors come from the rows, whatever the weights.
  Eigen::MatrixXd covariance() const;

 private:
  std::vector<DataSet> data_sets_;
  std::vector<Eigen::Index> first_;
};

/// Results of a function of all points of joined data sets, and how the deviation of each row changes them.
struct Variation {
  Eigen::VectorXd value;
  Eigen::MatrixXd changes;  ///< [row][result]

  Eigen::MatrixXd covariance() const { return changes.transpose() * changes; }
  statistics::Estimate estimate(Eigen::Index result) const { return {value[result], changes.col(result).norm()}; }
};

/// Repeats the function for the deviation of every row: the jackknife through whatever it does. Where a repetition
/// throws std::domain_error, as a fit does that finds no minimum, all changes are NaN.
Variation vary(const JoinedDataSets& joined, const std::function<Eigen::VectorXd(const Eigen::VectorXd& y)>& function);

}  // namespace psflip::analysis
