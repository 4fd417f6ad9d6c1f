#pragma once
#include <functional>
#include <vector>

/// Just enough statistics for these tests, in plain double, independent of analysis/.
namespace psflip::exact {

struct Estimate {
  double value, error;
};

/// One row for each statistically independent block, one column for each observable.
using Blocks = std::vector<std::vector<double>>;

/// Merges every `size` consecutive rows into their mean.
Blocks merged(const Blocks& rows, std::size_t size);

/// Delete-one jackknife of a function of the column means.
Estimate jackknife(const Blocks& blocks, const std::function<double(const std::vector<double>&)>& function);

/// Jackknife of the mean of one column.
Estimate mean_of(const Blocks& blocks, std::size_t column);

/// Distance to the exact value in standard errors.
double pull(const Estimate& estimate, double exact);

/// Probability that chi^2 with `degrees` (even) degrees of freedom exceeds the value.
double chi_squared_tail(double chi_squared, int degrees);

/// Every single comparison of these tests must lie within this many standard errors; seeds are fixed, so a pass
/// repeats.
inline constexpr double sigma_bound = 3.5;

}  // namespace psflip::exact
