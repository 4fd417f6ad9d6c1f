#pragma once
#include <string>
#include <vector>

#include "tests/exact/references/statistics.hpp"

/// All comparisons of one suite judged together.
namespace psflip::exact {

/// Runs that are independent of those of other comparisons: a row for each block of them, independent of the others, a
/// column for each quantity. All entries are measured minus exact, so that their mean is zero if all is right.
struct Comparison {
  std::string where;
  std::vector<std::string> names;  ///< of the columns
  Blocks rows;
};

/// Chance that a right suite fails one of its single comparisons, and each end of the interval of chi^2.
inline constexpr double family_level = 1e-3;

struct Judgement {
  std::size_t pulls = 0;
  double smallest_p = 1;  ///< of all single comparisons, two-sided by Student's t
  std::string worst;      ///< its quantity and pull
  double level = 0;       ///< Sidak: 1 - (1 - family_level)^(1 / pulls)
  double chi_squared_p = 0;

  bool passes() const {
    return smallest_p >= level && chi_squared_p >= family_level && chi_squared_p <= 1 - family_level;
  }
};

/// Every column of every comparison has a pull, the mean over the rows in standard errors, with a probability from
/// Student's t. The columns of a comparison are correlated: Hotelling's T^2, the chi^2 of their pulls with the
/// covariance of the rows, has a probability p of its own, and -2 sum ln p over the comparisons is chi^2 with two
/// degrees of freedom for each (R. A. Fisher). Throws std::invalid_argument without more rows than columns.
Judgement judge(const std::vector<Comparison>& comparisons);

/// Regularized incomplete beta function I_x(a, b), by its continued fraction: DLMF 8.17.22.
double incomplete_beta(double a, double b, double x);
/// Probability that |t| of Student's distribution is larger.
double student_p(double t, double degrees);
/// Hotelling's T^2 of the mean of the rows, and the probability that it is larger.
double hotelling_p(const Blocks& rows);

}  // namespace psflip::exact
