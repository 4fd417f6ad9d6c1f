#include "analysis/critical/scaling_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "engine/io/error.hpp"

namespace psflip::analysis {
namespace {

/// Neighbouring blocks are joined to at most this many rows for each size: enough to know a covariance to 9 %, few
/// enough to repeat every fit for each.
constexpr Eigen::Index most_rows = 256;

/// The row of each block id of one size.
std::map<std::int64_t, Eigen::Index> rows_of(const std::vector<FixedRxiValues>& runs, int L) {
  std::map<std::int64_t, Eigen::Index> rows;
  for (const FixedRxiValues& one : runs)
    if (one.L == L)
      for (const std::int64_t id : one.ids) rows.emplace(id, 0);
  const auto count = static_cast<Eigen::Index>(rows.size()), kept = std::min(count, most_rows);
  Eigen::Index position = 0;
  for (auto& [id, row] : rows) row = position++ * kept / count;
  return rows;
}

Eigen::MatrixXd joined(const FixedRxiValues& one, const std::map<std::int64_t, Eigen::Index>& rows) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(rows.rbegin()->second + 1, one.deviations.cols());
  for (Eigen::Index j = 0; j < one.deviations.rows(); ++j)
    result.row(rows.at(one.ids[static_cast<std::size_t>(j)])) += one.deviations.row(j);
  return result;
}

/// Column of a quantity among those of a run; -1 where the run lacks it or never passed that reference value.
Eigen::Index column(const FixedRxiValues& one, Eigen::Index quantity, double R_xi) {
  const auto found = std::find(one.R_xi.begin(), one.R_xi.end(), R_xi);
  if (found == one.R_xi.end() || quantity >= one.values.cols()) return -1;
  return (found - one.R_xi.begin()) * one.values.cols() + quantity;
}

}  // namespace

ScalingData::ScalingData(std::vector<FixedRxiValues> runs) : runs_(std::move(runs)) {
  std::stable_sort(runs_.begin(), runs_.end(), [](const FixedRxiValues& a, const FixedRxiValues& b) {
    return std::pair(a.L, a.beta) < std::pair(b.L, b.beta);
  });
  std::map<std::int64_t, Eigen::Index> rows;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const FixedRxiValues& one = runs_[i];
    if (i > 0 && runs_[i - 1].L == one.L && runs_[i - 1].beta == one.beta)
      throw UserError(fmt::format("L = {}, T = {} is there twice; give each run once.", one.L, one.temperature));
    if (sizes_.empty() || sizes_.back() != one.L) {
      sizes_.push_back(one.L);
      rows = rows_of(runs_, one.L);
    }
    rows_.push_back(joined(one, rows));
  }
}

DataSet ScalingData::data_set(const std::string& quantity, double R_xi, int L_min) const {
  const auto& names = fixed_R_xi_quantities();
  const auto position = std::find(names.begin(), names.end(), quantity) - names.begin();
  std::vector<std::pair<std::size_t, Eigen::Index>> points;  // runs, column
  Eigen::Index total = 0;
  std::vector<Eigen::Index> offsets;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const bool same_size = i > 0 && runs_[i - 1].L == runs_[i].L;
    offsets.push_back(same_size ? offsets.back() : total);
    if (!same_size) total += rows_[i].rows();
    const Eigen::Index where = column(runs_[i], position, R_xi);
    if (where >= 0 && runs_[i].L >= L_min) points.emplace_back(i, where);
  }
  const Eigen::Index count = std::ssize(points);
  DataSet data_set{Eigen::VectorXd(count), Eigen::VectorXd(count), Eigen::VectorXd(count),
                   Eigen::MatrixXd::Zero(total, count)};
  for (Eigen::Index p = 0; p < count; ++p) {
    const auto& [i, where] = points[static_cast<std::size_t>(p)];
    const FixedRxiValues& one = runs_[i];
    data_set.L[p] = one.L;
    data_set.beta[p] = one.beta;
    data_set.y[p] = one.values(where / one.values.cols(), where % one.values.cols());
    data_set.deviations.col(p).segment(offsets[i], rows_[i].rows()) = rows_[i].col(where);
  }
  return data_set;
}

JoinedDataSets::JoinedDataSets(std::vector<DataSet> data_sets) : data_sets_(std::move(data_sets)) {
  Eigen::Index points = 0;
  for (const DataSet& data_set : data_sets_) {
    first_.push_back(points);
    points += data_set.y.size();
  }
  first_.push_back(points);
}

Eigen::VectorXd JoinedDataSets::y() const {
  Eigen::VectorXd y(first_.back());
  for (std::size_t i = 0; i < data_sets_.size(); ++i) y.segment(first_[i], data_sets_[i].y.size()) = data_sets_[i].y;
  return y;
}

Eigen::MatrixXd JoinedDataSets::deviations() const {
  Eigen::MatrixXd deviations(data_sets_.front().deviations.rows(), first_.back());
  for (std::size_t i = 0; i < data_sets_.size(); ++i)
    deviations.middleCols(first_[i], data_sets_[i].y.size()) = data_sets_[i].deviations;
  return deviations;
}

Eigen::VectorXd JoinedDataSets::part(const Eigen::VectorXd& y, std::size_t data_set) const {
  return y.segment(first_[data_set], data_sets_[data_set].y.size());
}

Eigen::MatrixXd JoinedDataSets::covariance() const {
  const Eigen::MatrixXd rows = deviations();
  Eigen::MatrixXd covariance = rows.transpose() * rows;
  Eigen::VectorXd L(first_.back());
  for (std::size_t i = 0; i < data_sets_.size(); ++i) L.segment(first_[i], data_sets_[i].L.size()) = data_sets_[i].L;
  Eigen::VectorXd kept(L.size());
  for (Eigen::Index i = 0; i < L.size(); ++i) {
    const auto known = static_cast<double>((rows.col(i).array() != 0).count());
    const auto together = static_cast<double>((L.array() == L[i]).count());
    kept[i] = std::max(0.0, 1 - together / (2 * known));
    // The lesser of two: the product with a matrix of minima is positive definite, as the covariance is.
    for (Eigen::Index j = 0; j < i; ++j)
      covariance(i, j) = covariance(j, i) = std::min(kept[i], kept[j]) * covariance(i, j);
  }
  return covariance;
}

Variation vary(const JoinedDataSets& joined, const std::function<Eigen::VectorXd(const Eigen::VectorXd& y)>& function) {
  const Eigen::VectorXd y = joined.y();
  const Eigen::MatrixXd deviations = joined.deviations();
  Variation result{function(y), {}};
  result.changes = Eigen::MatrixXd::Zero(deviations.rows(), result.value.size());
  try {
    for (Eigen::Index j = 0; j < deviations.rows(); ++j)
      if (deviations.row(j).any())
        result.changes.row(j) = (function(y + deviations.row(j).transpose()) - result.value).transpose();
  } catch (const std::domain_error&) {
    result.changes.setConstant(statistics::unknown);
  }
  return result;
}

}  // namespace psflip::analysis
