#pragma once
#include <boost/accumulators/accumulators.hpp>
#include <boost/accumulators/statistics/count.hpp>
#include <boost/accumulators/statistics/stats.hpp>
#include <boost/accumulators/statistics/tail.hpp>
#include <boost/accumulators/statistics/weighted_mean.hpp>
#include <cmath>
#include <cstddef>
#include <stdexcept>

/// Statistics of run times.
namespace psflip::bench {

namespace accumulators = boost::accumulators;

/// Times of repetitions of the same work, with the median that a page quotes: a run that another process disturbed
/// moves a mean and not a median. Boost.Accumulators holds the times in order.
class Timings {
 public:
  /// `most`: number of times that are added at most.
  explicit Timings(std::size_t most) : most_(most), times_(accumulators::left_tail_cache_size = most) {}

  /// Throws std::length_error beyond the number of the constructor.
  void add(double time, double weight = 1) {
    if (count() == most_) throw std::length_error("more times than announced");
    times_(time);
    mean_(time, accumulators::weight = weight);
  }

  std::size_t count() const { return accumulators::count(times_); }
  /// Mean with the weights: of times per flip weighted with flips, all seconds over all flips.
  double mean() const { return accumulators::weighted_mean(mean_); }
  double median() const { return quantile(0.5); }
  /// The number below which a part 0 < p < 1 of the times lies; where that is between two times, their mean (type 2 of
  /// Hyndman and Fan, Am. Stat. 50, 361 (1996)). Needs one time.
  double quantile(double p) const {
    const auto smallest = accumulators::tail(times_).begin();
    const double rank = p * static_cast<double>(count());
    return (*(smallest + static_cast<std::ptrdiff_t>(std::ceil(rank)) - 1) +
            *(smallest + static_cast<std::ptrdiff_t>(rank))) /
           2;
  }

 private:
  using Sorted = accumulators::stats<accumulators::tag::count, accumulators::tag::tail<accumulators::left>>;
  std::size_t most_;
  accumulators::accumulator_set<double, Sorted> times_;  ///< its tail of `most` values is all of them, sorted
  accumulators::accumulator_set<double, accumulators::stats<accumulators::tag::weighted_mean>, double> mean_;
};

}  // namespace psflip::bench
