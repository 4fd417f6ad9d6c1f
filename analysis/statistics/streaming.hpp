#pragma once
#include <boost/accumulators/accumulators.hpp>
#include <boost/accumulators/statistics/count.hpp>
#include <boost/accumulators/statistics/mean.hpp>
#include <boost/accumulators/statistics/stats.hpp>
#include <boost/accumulators/statistics/variance.hpp>
#include <cstddef>

/// Moments of values that come one after the other, without a container: Boost.Accumulators with the conventions of
/// this analysis. Each update is that of Welford, so a large mean costs no digits of a small variance.
namespace psflip::statistics {

namespace accumulators = boost::accumulators;

/// Mean and variance of a series.
class Moments {
 public:
  void add(double value) { set_(value); }

  std::size_t count() const { return accumulators::count(set_); }
  /// 0 without values.
  double mean() const { return accumulators::mean(set_); }
  /// Of a single value, unbiased, with n - 1 in the denominator; needs two values.
  double variance() const {
    const auto n = static_cast<double>(count());
    return accumulators::variance(set_) * (n / (n - 1));
  }
  /// Squared standard error of the mean of independent values; needs two values.
  double squared_error() const { return accumulators::variance(set_) / (static_cast<double>(count()) - 1); }

 private:
  using Features = accumulators::stats<accumulators::tag::immediate_mean, accumulators::tag::variance>;
  accumulators::accumulator_set<double, Features> set_;
};

}  // namespace psflip::statistics
