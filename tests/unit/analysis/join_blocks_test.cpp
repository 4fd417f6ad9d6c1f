#include "analysis/ensemble/join_blocks.hpp"

#include <gtest/gtest.h>

#include "analysis/models/reduce.hpp"
#include "engine/io/error.hpp"
#include "tests/unit/analysis/synthetic_tempering.hpp"

namespace psflip::analysis {
namespace {

/// To rounding; NaN, as of rates in bins that have none, equals NaN.
bool are_same(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  const auto both_unknown = a.array().isNaN() && b.array().isNaN();
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (both_unknown || (a - b).array().abs() <= 1e-13 * b.array().abs()).all();
}

TEST(JoinBlocks, GivesTheSumsOfAReductionWithLargerBlocks) {
  const test::TemperingFile job;
  std::vector<Ensemble> joined = reduce(job.make(), 2);
  const std::vector<Ensemble> wanted = reduce(job.make(), 8);
  ASSERT_GT(wanted[0].blocks.size(), 1) << "several blocks";
  for (std::size_t slot = 0; slot < wanted.size(); ++slot) {
    join_blocks(joined[slot], 8);
    EXPECT_EQ(joined[slot].integer("block_samples"), 8);
    EXPECT_EQ(joined[slot].blocks.ids, wanted[slot].blocks.ids);
    EXPECT_EQ(joined[slot].blocks.samples, wanted[slot].blocks.samples);
    EXPECT_EQ(joined[slot].blocks.names, wanted[slot].blocks.names);
    for (std::size_t q = 0; q < wanted[slot].blocks.sums.size(); ++q)
      EXPECT_TRUE(are_same(joined[slot].blocks.sums[q], wanted[slot].blocks.sums[q])) << wanted[slot].blocks.names[q];
  }
}

TEST(JoinBlocks, RefusesBlocksThatAreNoMultiple) {
  Ensemble one = reduce(test::TemperingFile{}.make(), 4).front();
  EXPECT_THROW(join_blocks(one, 6), UserError);
  EXPECT_THROW(join_blocks(one, 2), UserError);
  join_blocks(one, 4);
  EXPECT_EQ(one.integer("block_samples"), 4);
}

}  // namespace
}  // namespace psflip::analysis
