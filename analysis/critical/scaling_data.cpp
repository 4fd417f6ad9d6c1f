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
std::map<std::int64_t, Eigen::Index> rows_of(const std::vector<ClockReadings>& readings, int L) {
  std::map<std::int64_t, Eigen::Index> rows;
  for (const ClockReadings& one : readings)
    if (one.L == L)
      for (const std::int64_t id : one.ids) rows.emplace(id, 0);
  const auto count = static_cast<Eigen::Index>(rows.size()), kept = std::min(count, most_rows);
  Eigen::Index position = 0;
  for (auto& [id, row] : rows) row = position++ * kept / count;
  return rows;
}

Eigen::MatrixXd joined(const ClockReadings& one, const std::map<std::int64_t, Eigen::Index>& rows) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(rows.rbegin()->second + 1, one.deviations.cols());
  for (Eigen::Index j = 0; j < one.deviations.rows(); ++j)
    result.row(rows.at(one.ids[static_cast<std::size_t>(j)])) += one.deviations.row(j);
  return result;
}

/// Column of a quantity among those of the readings; -1 where these lack it or the clock never showed that value.
Eigen::Index column(const ClockReadings& one, Eigen::Index quantity, double clock) {
  const auto found = std::find(one.clock.begin(), one.clock.end(), clock);
  if (found == one.clock.end() || quantity >= one.values.cols()) return -1;
  return (found - one.clock.begin()) * one.values.cols() + quantity;
}

}  // namespace

ScalingData::ScalingData(std::vector<ClockReadings> readings) : readings_(std::move(readings)) {
  std::stable_sort(readings_.begin(), readings_.end(), [](const ClockReadings& a, const ClockReadings& b) {
    return std::pair(a.L, a.beta) < std::pair(b.L, b.beta);
  });
  std::map<std::int64_t, Eigen::Index> rows;
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    const ClockReadings& one = readings_[i];
    if (i > 0 && readings_[i - 1].L == one.L && readings_[i - 1].beta == one.beta)
      throw UserError(fmt::format("L = {}, T = {} is there twice; give each run once.", one.L, one.temperature));
    if (sizes_.empty() || sizes_.back() != one.L) {
      sizes_.push_back(one.L);
      rows = rows_of(readings_, one.L);
    }
    rows_.push_back(joined(one, rows));
  }
}

Sheet ScalingData::sheet(const std::string& quantity, double clock, int L_min) const {
  const auto& names = clock_quantities();
  const auto position = std::find(names.begin(), names.end(), quantity) - names.begin();
  std::vector<std::pair<std::size_t, Eigen::Index>> points;  // readings, column
  Eigen::Index total = 0;
  std::vector<Eigen::Index> offsets;
  for (std::size_t i = 0; i < readings_.size(); ++i) {
    const bool same_size = i > 0 && readings_[i - 1].L == readings_[i].L;
    offsets.push_back(same_size ? offsets.back() : total);
    if (!same_size) total += rows_[i].rows();
    const Eigen::Index where = column(readings_[i], position, clock);
    if (where >= 0 && readings_[i].L >= L_min) points.emplace_back(i, where);
  }
  const Eigen::Index count = std::ssize(points);
  Sheet sheet{Eigen::VectorXd(count), Eigen::VectorXd(count), Eigen::VectorXd(count),
              Eigen::MatrixXd::Zero(total, count)};
  for (Eigen::Index p = 0; p < count; ++p) {
    const auto& [i, where] = points[static_cast<std::size_t>(p)];
    const ClockReadings& one = readings_[i];
    sheet.L[p] = one.L;
    sheet.beta[p] = one.beta;
    sheet.y[p] = one.values(where / one.values.cols(), where % one.values.cols());
    sheet.deviations.col(p).segment(offsets[i], rows_[i].rows()) = rows_[i].col(where);
  }
  return sheet;
}

Stack::Stack(std::vector<Sheet> sheets) : sheets_(std::move(sheets)) {
  Eigen::Index points = 0;
  for (const Sheet& sheet : sheets_) {
    first_.push_back(points);
    points += sheet.y.size();
  }
  first_.push_back(points);
}

Eigen::VectorXd Stack::y() const {
  Eigen::VectorXd y(first_.back());
  for (std::size_t i = 0; i < sheets_.size(); ++i) y.segment(first_[i], sheets_[i].y.size()) = sheets_[i].y;
  return y;
}

Eigen::MatrixXd Stack::deviations() const {
  Eigen::MatrixXd deviations(sheets_.front().deviations.rows(), first_.back());
  for (std::size_t i = 0; i < sheets_.size(); ++i)
    deviations.middleCols(first_[i], sheets_[i].y.size()) = sheets_[i].deviations;
  return deviations;
}

Eigen::VectorXd Stack::part(const Eigen::VectorXd& y, std::size_t sheet) const {
  return y.segment(first_[sheet], sheets_[sheet].y.size());
}

Eigen::MatrixXd Stack::covariance() const {
  const Eigen::MatrixXd rows = deviations();
  Eigen::MatrixXd covariance = rows.transpose() * rows;
  Eigen::VectorXd L(first_.back());
  for (std::size_t i = 0; i < sheets_.size(); ++i) L.segment(first_[i], sheets_[i].L.size()) = sheets_[i].L;
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

Variation vary(const Stack& stack, const std::function<Eigen::VectorXd(const Eigen::VectorXd& y)>& function) {
  const Eigen::VectorXd y = stack.y();
  const Eigen::MatrixXd deviations = stack.deviations();
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
