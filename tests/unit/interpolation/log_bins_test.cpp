#include "analysis/interpolation/log_bins.hpp"

#include <gtest/gtest.h>

#include "analysis/models/reduce.hpp"
#include "tests/unit/analysis/synthetic_tempering.hpp"

namespace psflip::analysis {
namespace {

/// The energy relaxes: B of every sample is too small by 8, 4, 2, 1, 0 in the bins.
test::TemperingFile relaxing() {
  test::TemperingFile job;
  job.averages = [model = job.model](double T, std::size_t bin, std::int64_t sample, int) {
    test::SetValues values = model.averages(T, sample);
    if (bin < 4) values[0] -= 8.0 / static_cast<double>(1 << bin);
    return values;
  };
  return job;
}

TEST(LogBins, HoldTheRelaxationOfEverySlotWithPairedDifferences) {
  const auto rows = log_bins(reduce(relaxing().make(), {}));
  ASSERT_EQ(rows.size(), 4u * 2 * 5) << "slots, quantities, bins";
  const std::int64_t ends[] = {100, 200, 400, 800, 1600};
  for (std::size_t bin = 0; bin < 5; ++bin) {
    const LogBinRow& e = rows[bin];
    EXPECT_EQ(e.observable, "e");
    EXPECT_EQ(e.from, bin > 0 ? ends[bin - 1] : 0);
    EXPECT_EQ(e.to, ends[bin]);
    EXPECT_NEAR(e.difference.value, bin < 4 ? 8.0 / (1 << bin) / 64 : 0, 1e-12);
    EXPECT_GT(e.estimate.error, 1e-4) << "samples differ";
    EXPECT_NEAR(e.difference.error, 0, 1e-12) << "by as much in all bins";
    EXPECT_EQ(rows[5 + bin].observable, "m2");
    EXPECT_NEAR(rows[5 + bin].difference.value, 0, 1e-12);
  }
}

TEST(LogBins, OfAnArchiveAreTheLastThreeWithTheirTimes) {
  std::vector<Ensemble> slots = reduce(relaxing().make(), {});
  for (Ensemble& slot : slots) keep_last_moments(slot, 3);
  const auto rows = log_bins(slots);
  ASSERT_EQ(rows.size(), 4u * 2 * 3);
  EXPECT_EQ(rows[0].from, 200);
  EXPECT_EQ(rows[0].to, 400);
  EXPECT_EQ(rows[2].to, 1600);
}

}  // namespace
}  // namespace psflip::analysis
