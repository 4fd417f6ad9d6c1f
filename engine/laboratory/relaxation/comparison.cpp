#include "engine/laboratory/relaxation/comparison.hpp"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace psflip::laboratory {

namespace {

using Series = std::vector<std::vector<double>>;  ///< [block][time]

std::vector<double> mean_of(const Series& blocks) {
  std::vector<double> mean(blocks[0].size());
  for (std::size_t time = 0; time < mean.size(); ++time) {
    for (const std::vector<double>& block : blocks) mean[time] += block[time];
    mean[time] /= static_cast<double>(blocks.size());
  }
  return mean;
}

/// Covariance of the mean between two times.
double covariance(const Series& blocks, const std::vector<double>& mean, std::size_t a, std::size_t b) {
  const auto n = static_cast<double>(blocks.size());
  double sum = 0;
  for (const std::vector<double>& block : blocks) sum += (block[a] - mean[a]) * (block[b] - mean[b]);
  return sum / (n * (n - 1));
}

/// Sets chi2 and degrees: pulls whitened with the Cholesky factor of their correlations, one row for each time.
void whiten(Comparison& result, const Series& blocks) {
  constexpr double least_pivot = 1e-9;  ///< of a correlation matrix: the time is determined by earlier ones
  std::vector<std::size_t> kept;
  std::vector<std::vector<double>> factor;
  std::vector<double> white;
  for (std::size_t time = 0; time < result.pull.size(); ++time) {
    if (result.error[time] == 0) continue;
    std::vector<double> row;
    double pivot = 1, rest = result.pull[time];
    for (std::size_t i = 0; i < kept.size(); ++i) {
      double value =
          covariance(blocks, result.difference, time, kept[i]) / (result.error[time] * result.error[kept[i]]);
      for (std::size_t j = 0; j < i; ++j) value -= row[j] * factor[i][j];
      row.push_back(value / factor[i][i]);
      pivot -= row[i] * row[i];
      rest -= row[i] * white[i];
    }
    if (pivot < least_pivot) continue;
    row.push_back(std::sqrt(pivot));
    white.push_back(rest / row.back());
    result.chi2 += white.back() * white.back();
    kept.push_back(time);
    factor.push_back(std::move(row));
  }
  result.degrees = static_cast<int>(kept.size());
}

double pull_of(double difference, double error) {
  if (error > 0) return difference / error;
  return difference == 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), difference);
}

}  // namespace

Comparison compare(const Series& blocks, const Series& reference) {
  const std::size_t n = blocks.size();
  if (n < 2 || n != reference.size() || n <= blocks[0].size())
    throw std::invalid_argument("more blocks than times are needed, the same of both series");
  Series differences = blocks;
  for (std::size_t block = 0; block < n; ++block)
    std::transform(blocks[block].begin(), blocks[block].end(), reference[block].begin(), differences[block].begin(),
                   std::minus<>());
  Comparison result;
  result.mean = mean_of(blocks);
  result.reference = mean_of(reference);
  result.difference = mean_of(differences);
  for (std::size_t time = 0; time < result.mean.size(); ++time) {
    result.error.push_back(std::sqrt(covariance(differences, result.difference, time, time)));
    result.pull.push_back(pull_of(result.difference[time], result.error[time]));
    if (std::abs(result.pull[time]) > std::abs(result.largest_pull)) result.largest_pull = result.pull[time];
  }
  whiten(result, differences);
  const double k = result.degrees, blocks_minus_1 = static_cast<double>(n) - 1;
  if (k > 0) {
    const boost::math::fisher_f distribution(k, static_cast<double>(n) - k);
    result.probability =
        cdf(complement(distribution, (static_cast<double>(n) - k) / (k * blocks_minus_1) * result.chi2));
  }
  const boost::math::students_t student(blocks_minus_1);
  const double one_side = std::isinf(result.largest_pull) ? 0 : cdf(complement(student, std::abs(result.largest_pull)));
  result.bonferroni = std::min(1.0, 2 * one_side * static_cast<double>(result.pull.size()));
  return result;
}

}  // namespace psflip::laboratory
