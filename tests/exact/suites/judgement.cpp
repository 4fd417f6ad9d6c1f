#include "judgement.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace psflip::exact {
namespace {

double continued_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), f = d;  // modified Lentz
  for (int m = 1; m < 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    const double before = f;
    for (const double numerator : {even, odd}) {
      d = 1 + numerator * d;
      c = 1 + numerator / c;
      d = 1 / (std::abs(d) < tiny ? tiny : d);
      c = std::abs(c) < tiny ? tiny : c;
      f *= c * d;
    }
    if (std::abs(f / before - 1) < 1e-14) return f;
  }
  throw std::runtime_error("the continued fraction of the incomplete beta function does not converge");
}

std::vector<double> column_means(const Blocks& rows) { return merged(rows, rows.size()).front(); }

/// The lower triangle of the covariance of the rows.
Blocks covariance_of(const Blocks& rows) {
  const std::vector<double> mean = column_means(rows);
  const std::size_t columns = mean.size();
  Blocks covariance(columns, std::vector<double>(columns, 0.0));
  for (const std::vector<double>& row : rows)
    for (std::size_t i = 0; i < columns; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        covariance[i][j] += (row[i] - mean[i]) * (row[j] - mean[j]) / (double(rows.size()) - 1);
  return covariance;
}

/// Overwrites the lower triangle with its Cholesky factor. A column that the others determine has no pull of its own.
void factorize(Blocks& matrix) {
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i][k] * matrix[j][k];
      if (i == j && !(sum > 1e-10 * matrix[i][i])) throw std::invalid_argument("the columns depend on each other");
      matrix[i][j] = i == j ? std::sqrt(sum) : sum / matrix[j][j];
    }
  }
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  const double log_front =
      a * std::log(x) + b * std::log1p(-x) + std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) - std::log(a);
  return std::exp(log_front) * continued_fraction(a, b, x);
}

double student_p(double t, double degrees) {
  return incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t));  // Abramowitz and Stegun 26.7.1
}

double hotelling_p(const Blocks& rows) {
  const double n = double(rows.size()), d = double(rows.at(0).size());
  if (n <= d) throw std::invalid_argument("Hotelling's T^2 needs more rows than columns");
  Blocks factor = covariance_of(rows);
  factorize(factor);
  std::vector<double> pull = column_means(rows);  // decorrelated: the factor times it is the mean
  double t_squared = 0;
  for (std::size_t i = 0; i < pull.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) pull[i] -= factor[i][k] * pull[k];
    pull[i] /= factor[i][i];
    t_squared += n * pull[i] * pull[i];
  }
  const double F = (n - d) / (d * (n - 1)) * t_squared;  // of Fisher's distribution with d and n - d degrees of freedom
  return incomplete_beta((n - d) / 2, d / 2, (n - d) / (n - d + d * F));
}

Judgement judge(const std::vector<Comparison>& comparisons) {
  constexpr double least = 1e-300;
  Judgement judgement;
  double fisher = 0;
  for (const Comparison& comparison : comparisons) {
    for (std::size_t column = 0; column < comparison.names.size(); ++column) {
      const double t = pull(mean_of(comparison.rows, column), 0);
      const double p = student_p(t, double(comparison.rows.size()) - 1);
      ++judgement.pulls;
      if (!(p < judgement.smallest_p)) continue;
      judgement.smallest_p = p;
      judgement.worst = comparison.names[column] + ", " + comparison.where + ": pull " + std::to_string(t);
    }
    fisher -= 2 * std::log(std::max(hotelling_p(comparison.rows), least));
  }
  judgement.level = -std::expm1(std::log1p(-family_level) / double(judgement.pulls));
  judgement.chi_squared_p = chi_squared_tail(fisher, 2 * static_cast<int>(comparisons.size()));
  return judgement;
}

}  // namespace psflip::exact
