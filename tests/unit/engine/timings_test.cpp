#include "engine/bench/timings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <stdexcept>
#include <vector>

namespace psflip::bench {
namespace {

Timings timings_of(std::initializer_list<double> times) {
  Timings timings(times.size());
  for (const double time : times) timings.add(time);
  return timings;
}

TEST(Timings, TheMedianIsTheMiddleTimeOrTheMeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(timings_of({3}).median(), 3);
  EXPECT_EQ(timings_of({3, 1}).median(), 2);
  EXPECT_EQ(timings_of({5, 1, 3}).median(), 3);
  EXPECT_EQ(timings_of({8, 1, 100, 4}).median(), 6);
}

TEST(Timings, ATimeThatWasDisturbedDoesNotMoveTheMedian) {
  EXPECT_EQ(timings_of({1, 1.1, 0.9, 1.2, 1.05}).median(), timings_of({1, 1.1, 0.9, 50, 1.05}).median());
}

TEST(Timings, QuantilesOfAllOrdersAreThoseOfTheSortedTimes) {
  for (std::size_t count = 2; count < 30; ++count) {
    Timings timings(count);
    std::vector<double> sorted;
    for (std::size_t i = 0; i < count; ++i) {
      sorted.push_back(static_cast<double>((i * 17 + 5) % 31));
      timings.add(sorted.back());
    }
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(timings.median(), (sorted[(count - 1) / 2] + sorted[count / 2]) / 2) << count;
    const std::size_t lower = (count + 3) / 4 - 1, upper = count / 4;  // x_ceil(n / 4), x_floor(n / 4) + 1
    EXPECT_EQ(timings.quantile(0.25), (sorted[lower] + sorted[upper]) / 2) << count;
    EXPECT_EQ(timings.quantile(0.75), (sorted[count - 1 - lower] + sorted[count - 1 - upper]) / 2) << count;
  }
}

TEST(Timings, TheMeanOfTimesPerFlipWithTheFlipsIsAllSecondsOverAllFlips) {
  Timings timings(2);
  timings.add(4.0 / 100, 100);
  timings.add(6.0 / 300, 300);
  EXPECT_DOUBLE_EQ(timings.mean(), 10.0 / 400);
  EXPECT_THROW(timings.add(1), std::length_error);
}

}  // namespace
}  // namespace psflip::bench
